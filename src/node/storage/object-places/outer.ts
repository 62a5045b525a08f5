/** What only nodes need that keep objects elsewhere: loaded when one is first asked. */
export { createGarageAdmin } from "./garage-admin.ts";
export { createGarageDriver } from "./garage-driver.ts";
export { createHttp } from "./http.ts";
export { createS3Driver } from "./s3-driver.ts";
export { takePlace } from "./take-place.ts";
export { testPlace } from "./test-place.ts";
