/** How often a JPEG may go over all of its pixels; cameras and programs write ten at most. */
const MAX_SCANS = 32;

/** Whether a JPEG says its pixels so often that reading it would take minutes: a scan of millions of pixels is a few dozen bytes. */
export function hasTooManyScans(jpeg: Uint8Array): boolean {
  let scans = 0;
  for (let at = jpeg.indexOf(0xff); at >= 0; at = jpeg.indexOf(0xff, at + 1))
    if (jpeg[at + 1] === 0xda && ++scans > MAX_SCANS) return true;
  return false;
}
