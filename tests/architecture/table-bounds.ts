/**
 * What bounds the rows of every table, a line a table: a limit with the code that refuses, a job with the age or number at which rows go,
 * one row for each of something that has a limit of its own, or who alone adds rows and why that is enough. What stands in backticks
 * is a word of the sources.
 */

/** Of the program's own list of what it has become; one row for each file that the release carries. */
const MIGRATIONS = "one row for each migration of the release";
const ONE = "one row";
const PER_USER = "one row for each account, which only admins make";
const PER_APP = "one row for each app, whose number the plan bounds (`app_limit_reached`)";

/** State of a node, `main.db`. */
export const NODE_TABLES: Readonly<Record<string, string>> = {
  migrations: MIGRATIONS,
  // platform
  audit_log:
    "`audit.prune` daily: 400 days and the newest 1,000,000; tries of passwords are bounded by network and by the hashes at once",
  audit_start: ONE,
  dashboards: "two rows for each account, which only admins make",
  operations: "`operations.forget` hourly: seven days after their end; what begins them has limits of its own",
  operation_events: "go with their operation; lines of one are batched, and what writes them is cut off with its step",
  release_notes: "the list of the publisher is written anew each time, `MAX_NOTES` of it",
  settings: "one row for each setting that a feature declares; others are refused",
  timeline_events: "`timeline.prune` daily: a year and the newest 100,000",
  timeline_last_start: ONE,
  inbox_marks: PER_USER,
  inbox_reads:
    "an account's marks of single entries of the timeline; `pruneReads` drops those of entries that are gone",
  webhooks: "`webhook_limit`: 50, 10 for one who is no admin",
  webhook_messages: "`webhooks.sweep` hourly: those without a delivery; one for each event that some webhook wants",
  webhook_deliveries: "`webhooks.sweep` hourly: 30 days; one for each of at most 50 webhooks and event",
  webhook_attempts:
    "go with their delivery, whose attempts are counted; by hand one for each ask of an admin or its maker",
  // people
  users: "only admins add accounts; those who come from the panel are members of its workspace",
  sessions:
    "`sessions.trim` each minute: 100 that go on; `sessions.forget` hourly: `KEPT_ENDED` that ended, for seven days",
  refresh_tokens:
    "`sessions.forget` hourly: `KEPT_TOKENS` traded ones of a session, for 30 days; they go with their session",
  auto_lock: PER_USER,
  avatars: "one for each picture that an account shows; the one before goes when nobody shows it",
  totp: PER_USER,
  recovery_codes: "`RECOVERY_CODES` for each account; new ones take the place of all before",
  passkeys: "`passkey_limit`: 50 for each account",
  preferences: PER_USER,
  seen_releases: PER_USER,
  api_keys: "`key_limit`: 100 for each account",
  paired_devices: "`paired_device_limit`: 100 for each account",
  dav_passwords: "`dav_password_limit`: 50 for each account",
  invites: PER_USER,
  // host
  component_work: "deleted when the work ends; one change of components at a time",
  host_terminal: ONE,
  // storage
  drive_nodes: "`drive_limit`: 200,000 for each account",
  drive_counts: PER_USER,
  drive_blobs: "contents that some file, version or upload has; others are removed in parts (`unusedContents`)",
  drive_uploads:
    "`drive_uploads_limit`: 100 open ones for each account, 20 for a link, 60 for the links of a maker, 200 for all; `drive-purge` hourly: three days without a chunk",
  drive_versions:
    "1,000 for each file at most (`MAX_VERSIONS`), as old and as many as the plan has; `drive-purge` hourly",
  drive_shares: "`share_limit`: 1,000 for each account",
  dav_locks: "`dav_lock_limit`: 500 in all; an hourly job removes those whose time is over",
  dav_properties:
    "`dav_property_limit`: 200 for each file, 64 KiB of them, and 64 MiB for each Drive with 256 bytes for each (`MAX_DRIVE_BYTES`)",
  dav_property_sums: PER_USER,
  object_keys: "`objstore_limit`: 200",
  object_grants: "one for each of at most 200 keys and 1,000 buckets",
  object_migration: ONE,
  object_migration_buckets: "one for each bucket of the store before, which is moved once; only admins begin that",
  object_migration_problems: "`MOST_PROBLEMS` for each bucket that is moved",
  object_place: ONE,
  object_place_uploads: "`objstore_limit`: 1,000; an old one is forgotten after a day (`MOST_AGE_MS`)",
  // apps
  apps: "`app_limit_reached`: as many as the plan allows, and only those who may install add them",
  app_services: "one for each service of an app, which its Compose file bounds",
  app_ports: "one for each port of a service; ports of the host are used once",
  app_secrets: "one for each secret that a template names; they go with the app's data",
  app_former_secrets: "one for each secret that a template names; they go with the app",
  app_steps: "steps of the work that an app is in; `deleteSteps` with its end",
  app_trash: "`apps.purge_trash` hourly: seven days",
  app_updates: PER_APP,
  app_kept: "`apps.sweep_kept` hourly: seven days; one for each update that an admin made",
  app_update_choices: PER_APP,
  app_crashes: "`KEPT_CRASHES` of each service",
  app_dumps: "dumps of a generation that is kept; `dropAllDumps` with the data",
  compose_confirmed:
    "at most `MAX_DANGERS` for each project that is kept; replaced with each deploy, deleted with the project",
  compose_deploys: "one for each project that is being deployed; deleted with its end",
  image_checks: "one for each tag of an image that is here; the rest goes with the next look (`deleteCheck`)",
  registry_rests:
    "one for each registry that images here come from and that did not answer; only those who may install bring images",
  registries: "`registry_limit`: 50",
  // monitoring
  alert_rules: "`alert_rule_limit`: 200, 20 for one who is no admin",
  alert_states:
    "one for each rule and thing; `alerting.prune` hourly: a year as it is without an open alert (`pruneIdle`)",
  alert_quiet:
    "one for each rule and thing; `alerting.prune` hourly: a year after the last notice or silence (`pruneIdle`)",
  alert_events: "`alerting.prune` hourly: a year after their end; one for a rule and thing at a time",
  alert_facts: "one for each state and thing that was ever bad; they go with the thing (`deleteFacts`)",
  alert_fact_log: "`alerting.prune` hourly: 25 hours, all of them in one run",
  alert_progress: ONE,
  alert_channels: "`channel_limit`: 50",
  alert_outbox: "a day for what waits (`expireNotices`), `alert-channels.prune` hourly: 30 days after they settled",
  alert_deliveries: "`alert-channels.prune` hourly: 30 days; attempts wait longer each time (`retryDelay`)",
  alert_delivery_events:
    "go with their delivery, `MAX_EVENT_ROWS` of one event are listed, a message holds `MAX_NOTICES`",
  alert_templates: "one for each kind of notice and type of channel",
  maintenance_windows: "`maintenance_limit`: 100",
  log_forwarders: "`log_forwarder_limit`: 10",
  baseline_hours: "`KEPT_WEEKS` for each hour of the week and metric of the server",
  anomalies: "the newest 1,000 (`KEPT_ANOMALIES`)",
  disk_readings: "the newest 500 (`KEPT_READINGS`)",
  disk_space_warnings: "one for each mounted disk that is full; deleted when it is not",
  insight_runs: "one for each predictor of the program",
  insight_alerts: "one for each predictor of the program",
  app_ends: "eight days (`KEPT_HOURS`), an hour and app a row",
  app_ends_since: ONE,
  // backups
  backup_targets: "`backup_target_limit`: 20",
  backup_plans: "`backup_plan_limit`: 20",
  backups:
    "as many as retention keeps, or as admins ask for by hand, each with its files; of those that failed the newest 500 (`MOST_LISTED`)",
  backup_halts: "one for each app that stands still for a backup; deleted when it goes on",
  backup_restores: "one for each app that is being put back; deleted with its end",
  backup_object_restores: "one for each operation that is under way; deleted with its end",
  backup_put_backs: "one for each app whose files are being put back; deleted with its end",
  backup_policies: "the newest 1,000 choices (`backup_policies`)",
  backup_start_tests: PER_APP,
  drop_offs: "`drop_off_limit`: 50",
  restic_repositories: "`restic_many`: 20",
  // panel-link
  panel_link: ONE,
  panel_commands: "`MAX_QUEUED` that wait; `panel.forget_commands` every six hours those that ended and were told",
  panel_generations:
    "one for each kind of command that the program knows and workspace that it belonged to, which admins change",
  panel_people: "one for each account that came from the panel",
  panel_identities_used: "forgotten at each use once they are over, minutes after they were made; the panel signs each",
};

/** Series of a node, `metrics.db`. */
export const SERIES_TABLES: Readonly<Record<string, string>> = {
  migrations: MIGRATIONS,
  progress: "one row for each tier and counter of the program",
  entities: "`metrics.prune` hourly: those without a row, a year after they were seen last (`dropEmpty`)",
  ...Object.fromEntries(
    ["host", "app", "iface", "fs", "threads"].flatMap((kind) => [
      [`m1_${kind}`, "`metrics.prune` hourly: minutes of days, as `TIERS` says"],
      [`h1_${kind}`, "`metrics.prune` hourly: hours of months, as `TIERS` says"],
      [`d1_${kind}`, "`metrics.prune` hourly: days of a year or more, as `TIERS` says"],
    ]),
  ),
};

/** The catalogue of a node's object store. Nothing is written while less than a share of the disk is free (`createRoomCheck`). */
export const CATALOGUE_TABLES: Readonly<Record<string, string>> = {
  migrations: MIGRATIONS,
  buckets: "`objstore_limit`: 1,000",
  objects:
    "the disk: `createRoomCheck` refuses what comes when a fiftieth of it is left; who has a key with writing adds them",
  blobs: "those that an object or a part has; the rest is removed with the last that refers to it",
  segments: "one for each file of the store; empty ones are removed",
  garbage: "files that are to be removed; deleted as they are",
  uploads: "the disk, as `objects`; `abortUpload` by the rules of the bucket",
  parts: "`MOST_PARTS` for each upload",
  dead_notes: "notes in files that are there; they go with the file",
  state: "one row for each thing that the store remembers of itself",
  damage: "one for each blob that is damaged; deleted when it is whole or gone",
};

/** State of a panel. */
export const PANEL_TABLES: Readonly<Record<string, string>> = {
  migrations: MIGRATIONS,
  panel_lease: ONE,
  // platform
  audit_entries:
    "`audit.forget` hourly: 400 days (`audit_days`); each account acts 0.2 times a second on average (`createActs`)",
  mail_queue:
    "each letter goes when it was sent or its time is over (`expires_at`); what strangers have sent is bounded by network and in all",
  mail_outcomes: "`mail.forget` hourly: 30 days, 100,000 addresses (`OUTCOMES_MAX`)",
  // people
  accounts:
    "`createGrowth`: 30 a day for a network, 300 an hour in all; a directory `EVER_MAX`, single sign-on `JOINED_AN_HOUR`, and whom only these made goes with the workspace (`forgetAccounts`); one stand-in for each account, when it proves its address (`leaveBehind`)",
  tenants: "`too_many_own_workspaces`: 20 for each account, `too_many_clients`, and `createGrowth`",
  members:
    "`member_of_too_many`: 100 workspaces for an account; `EVER_MAX` by a directory, `JOINED_AN_HOUR` by single sign-on, 300 invitations an hour",
  removed_members:
    "one for each account that was a member and was removed; beyond `REMOVED_MAX` memberships stay, and nobody new can take their places",
  removed_marks:
    "for each who was removed the addresses of the account, what the directory has for them, and `MARKS_MAX` at providers",
  former_addresses: "`FORMER_MAX` for each account: who would go beyond keeps their address (`email_limit`)",
  registration: ONE,
  sessions:
    "100 that go on and 100 that ended for an account (`endSurplusSessions`); `sessions.forget` hourly: those that cannot be renewed",
  totp: "one row for each account",
  recovery_codes: "`RECOVERY_CODES` for each account; new ones take the place of all before",
  security_keys: "`key_limit`: 50 for each account",
  account_links:
    "those that were not used go with the next one once they are over; three an hour for an address are sent",
  sign_in_places: "20 for each account and those of the day that were told of (`MAX_PLACES`)",
  email_changes: "one for each account; `email-proofs.forget` hourly",
  email_proofs: "`email-proofs.forget` hourly: those that are over; five an hour for each account",
  factor_resets: "one for each member; `factor-resets.apply` ends them",
  invitations: "`too_many_invitations`: 500 open ones; `invitations.forget` hourly: 30 days after their end",
  scim_tokens: "`scim_token_limit`: 5",
  scim_users: "10,000 that are members (`USERS_MAX`), `EVER_MAX` that ever were",
  scim_groups: "1,000 for each workspace (`GROUPS_MAX`)",
  scim_group_members: "100,000 for each workspace (`MEMBERSHIPS_MAX`)",
  sso_connectors: "`connector_limit`: one",
  sso_links: "one for each person at the provider who became a member; `JOINED_AN_HOUR` new ones an hour",
  sso_subjects: "`MARKS_MAX` for each member; they go with the membership",
  sso_domains: "`domain_limit`: 20",
  sso_assertions: "`sso.assertions` hourly: those that nobody can bring again, minutes after they were made",
  staff_permits: "the newest 200, and those by which one of the staff came in last (`deleteOldPermits`)",
  staff_visits: "one for each permit and person of the staff; they go with the permit",
  notifications:
    "`notifications.forget` hourly: 30 days, the newest 2,000 of a workspace and 2,000 that cannot be switched off",
  notification_reads: "marks of single notifications; they go with them",
  notification_members: "one row for each member",
  notification_waiting: "one for each member and notification, until its hour within a week; they go with both",
  chat_channels: "`chat_channel_limit`: 10",
  chat_waiting:
    "twelve hours; the latest 500 of a room that does not answer (`WAITING_MAX`); none is written for one that is paused or off",
  // agents
  node_counter: ONE,
  authority: ONE,
  node_groups: "`too_many_groups`: 500",
  registration_tokens: "`too_many_tokens`: 500 that are good; 500 that are spent (`REMEMBERED_MAX`), a year at most",
  nodes:
    "`node_limit_reached`: as many as the plan allows; `nodes.forget` hourly: deleted ones after 400 days, the newest 10,000 of a workspace",
  node_notices: "one for each node and kind; they go with the node",
  node_figures: "one for each node; of deleted ones a day (`forgetDeleted`)",
  node_transitions: "100 days, the newest 5,000 of each node (`KEPT_TRANSITIONS`)",
  listening_runs: "those that some node was heard before (`forgetRuns`); one for each start of the panel",
  // fleet
  alert_acknowledgements: "`too_many_acknowledged`: 500 that stand for something; the others go with the next one",
  fleet_cpu: "seven hours of minutes and eight days of quarters for each workspace (`KEEP_QUARTERS_MS`)",
  fleet_snapshots: "eight days of hours for each workspace (`KEEP_SNAPSHOTS_MS`)",
  fleet_views: "one for each member, with at most 50 views",
  fleet_incidents:
    "200 of the latest half hour, or one for each node; `incidents.forget` hourly: 90 days, the newest 10,000 of a workspace",
  fleet_incident_nodes: "`NODES_MAX` for each incident; they go with it",
  fleet_incident_entries: "`too_many_notes`: 200 notes; 1,000 others for each incident (`KEPT`); they go with it",
  oauth_codes: "an hour, removed with the next one of the workspace (`deleteOldCodes`) or with the node",
  terminal_recordings:
    "`terminal-recordings.forget` hourly: 90 days; 2 GiB of a workspace in blocks of at least 8 KiB (`BLOCK_BYTES`)",
  // changes
  commands:
    "`WAITING_MAX` for each node; 30 days, the newest 20,000 of a workspace or 100 for each node (`pruneSurplus`)",
  command_outputs:
    "one for each command that is over; 256 MiB of a workspace and 4 GiB in all (`OUTPUT_ROOM`); they go with it",
  command_generations: "one for each node and kind of command; they go with the node (`deleteGenerations`)",
  bulk_jobs:
    "`too_many_bulk_jobs`: 20 open ones; `bulk.forget` hourly: 30 days; each node is meant 200 times a day (`createCommandRate`)",
  bulk_items: "`bulk_too_many`: 10,000 for each job; they go with it",
  rollouts: "`too_many_rollouts`: 20 open ones; `rollouts.forget` hourly: a year, the newest 1,000 of a workspace",
  rollout_nodes: "`rollout_too_large`: 10,000 for each rollout; they go with it",
  rollout_counts: "one for each stage of a rollout and state of its nodes; they go with it",
  rollout_stage_starts: "one for each stage of a rollout; they go with it",
  rollout_timeline: "the latest 2,000 of each rollout (`KEPT_LINES`); they go with it",
};

/** Samples of a panel's nodes. */
export const SAMPLE_TABLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, slot) => [
      `raw_${slot}`,
      "an hour of all nodes, emptied whole for the hour after the next seven (`SLOTS`); a node is heard twice a second at most",
    ]),
  ),
  raw_hours: "one row for each of the eight tables of samples",
  roll_h: "one for each node and hour, 31 days (`KEEP_HOURS_MS`)",
  roll_base: "one for each node and hour that the clock came back to; deleted with that hour's table",
  roll_d: "one for each node and day, 400 days (`KEEP_DAYS_MS`)",
  claimed_hours: "one for each hour whose table was emptied; old ones are forgotten (`forgetHeld`)",
  open_days: "days with hours that they do not hold yet; closed with the day (`closeDay`)",
};

/** Tables of files that are made anew: indexes of one backup or repository, and what a rebuild of the object store works with. */
export const WORKING_TABLES: Readonly<Record<string, string>> = {
  entries: "one file of a folder that is copied; the file goes with its backup",
  chunks: "pieces of the files of one folder that is copied; the file goes with its backup",
  stream_files: "files of the object store in one backup; the file goes with it",
  restic_of: ONE,
  restic_files: "20,000 files of an index (`MOST_INDEX_FILES`)",
  restic_packs: "packs that blobs are in",
  restic_blobs: "5,000,000 of one repository (`MOST_BLOBS`)",
  restic_snapshots: "10,000 of one repository (`MOST_SNAPSHOTS`)",
  found_bytes: "what a rebuild found on the disk; dropped with its end",
  found_notes: "what a rebuild found on the disk; dropped with its end",
  wanted: "what a rebuild found on the disk; dropped with its end",
};
