// `npm run build [-- --all]`: makes sure that Bun is there, then hands over to binary.ts.
import { bunPath, ensureDependencies, run } from "./toolchain.mjs";

ensureDependencies();
process.exitCode = await run(bunPath(), ["src/build/binary.ts", ...process.argv.slice(2)]);
