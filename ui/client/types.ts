/** Shapes of the node's API as the dashboard reads them. */

export type Role = "admin" | "member" | "viewer";

export interface User {
  id: string;
  username: string;
  role: Role;
  created_at: string;
  avatar_url: string | null;
  disabled: boolean;
  locked?: boolean;
}

export interface LockInfo {
  hostname: string;
  online: boolean;
  uptime_seconds: number;
  apps_in_orbit: number;
  version: string;
  setup_required: boolean;
  claim_required: boolean;
  passkeys_enabled: boolean;
  approve_enabled: boolean;
}

export interface LoginReply {
  access_token?: string;
  user?: User;
  totp_required?: boolean;
  temp_token?: string;
}

export interface Session {
  id: string;
  device: string;
  ip: string;
  created_at: string;
  last_used_at: string;
  current: boolean;
}

export interface Template {
  name: string;
  display_name: string;
  description: string;
  category: string;
  version: string;
  icon: string;
  tagline?: string;
  featured?: boolean;
  stars?: number;
}

export interface Category {
  id: string;
  name: string;
  count: number;
}

export interface TemplateInput {
  key: string;
  type: string;
  label: string;
  default?: string | number | boolean | null;
  rules?: { min?: number; max?: number; pattern?: string; options?: string[] };
  hint?: string;
  required: boolean;
}

export interface Permission {
  id: string;
  title: string;
  detail: string;
}

export interface FirstRun {
  url?: string | null;
  show?: string[] | null;
  note?: string | null;
}

export interface TemplateDetail extends Template {
  license: string;
  links: { label: string; url: string }[];
  arch: string[];
  needs: { ram_mb: number; disk_mb: number; docker?: string };
  inputs: TemplateInput[];
  secrets: { key: string; kind: string; label: string }[];
  ports: { service: string; container: number; purpose: string; publish: string }[];
  volumes: { name: string; role: string }[];
  permissions: Permission[];
  images: { service: string; image: string; pinned: boolean }[];
  first_run?: FirstRun | null;
}

export interface PlanCheck {
  id: string;
  status: "ok" | "warn" | "fail";
  title: string;
  detail: string;
  next_step: string | null;
  used: number | null;
  total: number | null;
}

export interface AppPort {
  service: string;
  container: number;
  host: number;
  bind: string;
  purpose: string;
}

export interface Plan {
  ok: boolean;
  name: string;
  template: string;
  display_name: string;
  version: string;
  checks: PlanCheck[];
  ports: AppPort[];
  permissions: Permission[];
  inputs: TemplateInput[];
  estimate_seconds: number | null;
}

export interface InstallConfig {
  inputs?: Record<string, string | number | boolean>;
  ports?: Record<string, number>;
  publish?: "loopback" | "lan";
  limits?: Record<string, { memory_mb?: number; cpus?: number }>;
  permissions?: string[];
}

export type AppStatus =
  | "installing"
  | "running"
  | "stopped"
  | "starting"
  | "stopping"
  | "updating"
  | "rolling_back"
  | "degraded"
  | "error"
  | "uninstalling";

export interface App {
  id: string;
  name: string;
  template: string;
  display_name: string;
  icon: string;
  category: string;
  version: string;
  status: AppStatus;
  cause: string | null;
  next_step: string | null;
  created_at: string;
  started_at: string | null;
  url: string | null;
  port: number | null;
  op_id: string | null;
}

export interface AppService {
  name: string;
  image: string;
  container_id: string | null;
  state: string;
  health: string | null;
  restarts: number;
  exit_code: number | null;
  oom_killed: boolean;
  started_at: string | null;
}

export interface AppDetail extends App {
  services: AppService[];
  ports: AppPort[];
  volumes: { name: string; role: string; size_bytes: number | null }[];
  inputs: Record<string, string | number | boolean | null>;
  secrets: { key: string; label: string }[];
  limits: Record<string, { memory_mb?: number | null; cpus?: number | null }>;
  first_run: FirstRun | null;
}

export interface AppStats {
  app_id: string;
  cpu_percent: number;
  memory_usage_mb: number;
  memory_limit_mb: number;
  network_rx_bytes: number;
  network_tx_bytes: number;
  disk_usage_mb: number;
  services: { name: string; cpu_percent: number; memory_usage_mb: number }[];
}

export interface LogLine {
  at: string;
  service: string;
  stream: "stdout" | "stderr";
  level: "debug" | "info" | "warn" | "error" | null;
  text: string;
}

export interface Operation {
  id: string;
  kind: string;
  subject_id: string;
  title: string;
  status: "running" | "done" | "failed";
  step: string | null;
  percent: number | null;
  started_at: string;
  finished_at: string | null;
  error: string | null | { message: string };
}

export interface OperationEvent {
  seq: number;
  type: "plan" | "step" | "log" | "done" | "error";
  step: string | null;
  title: string | null;
  status: "pending" | "running" | "done" | "failed" | null;
  percent: number | null;
  bytes_done: number | null;
  bytes_total: number | null;
  text: string | null;
  time: string;
  steps?: { step: string; title: string }[];
}

export interface Runtime {
  state: "ok" | "missing" | "unreachable" | "too_old";
  version: string | null;
  api_version: string | null;
  driver: string | null;
  message: string;
  next_step: string | null;
}

export interface LiveSample {
  at: string;
  cpu_percent: number;
  per_core: number[];
  cpu_temp_c: number | null;
  load: number[];
  ram_used_bytes: number;
  ram_total_bytes: number;
  swap_used_bytes: number;
  net: { iface: string; rx_bytes_per_sec: number; tx_bytes_per_sec: number };
  disk_io: { read_bytes_per_sec: number; write_bytes_per_sec: number };
}

export interface Overview {
  hostname: string;
  os: string;
  kernel: string;
  arch: string;
  cpu_model: string;
  cpu_cores: number;
  cpu_threads: number;
  ram_total_bytes: number;
  uptime_seconds: number;
  version: string;
  apps: { installed: number; running: number };
}

export interface CurrentMetrics {
  cpu: { usage_percent: number; cores: number; model: string };
  memory: { total_mb: number; used_mb: number; usage_percent: number };
  disk: { total_gb: number; used_gb: number; usage_percent: number };
  uptime_seconds: number;
}

export interface Filesystem {
  device: string;
  mount_point: string;
  fs_type: string;
  total_bytes: number;
  used_bytes: number;
  free_bytes: number;
  usage_percent: number;
}

export interface NodeSetupReply {
  hostname: string;
  mode: string;
  apps: { template: string; app_id?: string; status?: string; error?: string }[];
}

/** Secret values of one app; only administrators may read them. */
export interface AppSecret {
  key: string;
  label: string;
  value: string;
}
