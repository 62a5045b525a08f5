/**
 * Imported for its effect by tests that prove something about the hash of passwords or its time: `npm test` finds them by this
 * import and runs them with the real one, and it fails where somebody else gave them the cheap one.
 */
if (process.env["ORRERY_TEST_PASSWORDS"] === "cheap")
  throw new Error("this suite needs the real hash of passwords: run it without cheap-passwords.ts");
