import type { Driver } from "../driver.ts";
import type { Local } from "../own.ts";
import { listAccessKeys, makeAccessKey, removeAccessKey } from "./access-keys.ts";
import { browseObjects, openObject, removeObject } from "./browse.ts";
import { makeBucket, presentBucket, removeBucket } from "./buckets.ts";
import { getSettings, putSettings } from "./settings.ts";
import { testAccessKey } from "./test-key.ts";
import { beginUpload, cancelUpload, finishUpload, takePart } from "./uploads.ts";

/** The store of this server. */
export const createEmbedded = (own: Local): Driver => ({
  listBuckets: async () => own.objectStore.listBuckets().map((row) => presentBucket(own, row)),
  makeBucket: (input) => makeBucket(own, input),
  removeBucket: (name, record) => removeBucket(own, name, record),
  getSettings: async (name) => getSettings(own, name),
  putSettings: (name, given) => putSettings(own, name, given),
  browse: async (name, prefix, after) => browseObjects(own, name, prefix, after),
  open: (name, key) => openObject(own, name, key),
  remove: (name, key) => removeObject(own, name, key),
  beginUpload: (name, input) => beginUpload(own, name, input),
  takePart: (place, number, bytes) => takePart(own, place, number, bytes),
  finishUpload: (place, end) => finishUpload(own, place, end),
  cancelUpload: (place) => cancelUpload(own, place),
  listKeys: async () => listAccessKeys(own),
  makeKey: async (input, record) => makeAccessKey(own, input, record),
  removeKey: async (key, record) => removeAccessKey(own, key, record),
  testKey: (key) => testAccessKey(own, key),
  endpoint: async () => own.listener.info(),
  refresh: () => own.listener.refresh(),
});
