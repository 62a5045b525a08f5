-- One thing done to many nodes.
CREATE TABLE bulk_jobs (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- What was asked for, as JSON: which nodes, and with what.
  target TEXT NOT NULL,
  params TEXT NOT NULL,
  -- What each node is told or has done to it, as JSON.
  plan TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'succeeded', 'partial', 'failed', 'cancelled')),
  total INTEGER NOT NULL,
  -- Items are worked on in their order. Those before this one have begun.
  next_no INTEGER NOT NULL DEFAULT 0,
  succeeded INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  cancelled INTEGER NOT NULL DEFAULT 0,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Nodes that did not answer by then have failed.
  ends_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- Whoever asks twice with one key means one job. The digest is of what was asked for.
  idempotency_key TEXT,
  asked_digest TEXT NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX bulk_jobs_by_key ON bulk_jobs (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX bulk_jobs_open ON bulk_jobs (id) WHERE finished_at IS NULL;
CREATE INDEX bulk_jobs_by_end ON bulk_jobs (finished_at);

CREATE TABLE bulk_items (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  job_id TEXT NOT NULL,
  no INTEGER NOT NULL,
  node_id TEXT NOT NULL,
  -- As the node was called when the job began.
  hostname TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'sent', 'succeeded', 'failed', 'cancelled')),
  command_id TEXT,
  output TEXT,
  error TEXT,
  started_at INTEGER,
  finished_at INTEGER,
  PRIMARY KEY (tenant_id, job_id, no)
) STRICT;
CREATE INDEX bulk_items_waiting ON bulk_items (tenant_id, job_id) WHERE status = 'sent';
