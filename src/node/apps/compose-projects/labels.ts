/** Compose's own labels, by which `docker compose ps` finds a project too. */
export { PROJECT_LABEL } from "../containers/index.ts";
export const SERVICE_LABEL = "com.docker.compose.service";
export const NETWORK_LABEL = "com.docker.compose.network";
export const VOLUME_LABEL = "com.docker.compose.volume";
/** Where a project was started, and from which files, with commas between them. */
export const FOLDER_LABEL = "com.docker.compose.project.working_dir";
export const FILES_LABEL = "com.docker.compose.project.config_files";
/** Id of the image that a container is made of, which no image can say of itself. */
export const IMAGE_LABEL = "com.docker.compose.image";
/** "True" on what `docker compose run` starts beside a project. */
export const ONE_OFF_LABEL = "com.docker.compose.oneoff";
/** Which Orrery put it there. */
export const MANAGED_LABEL = "orrery.compose";
/** Digest of what a container or a network was made from; another digest means that it must be made anew. */
export const HASH_LABEL = "orrery.compose.hash";
