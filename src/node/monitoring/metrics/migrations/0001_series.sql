-- Wide rows, one for each entity and bucket. `bucket` counts minutes, hours or days since 1970 UTC, `n` the samples in it.
-- Figures are whole numbers (see columns.ts for their scale), because SQLite keeps small ones in few bytes.
CREATE TABLE entities (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL) STRICT;

-- `m1` and `h1`: the first hour and day that the next tier may still lack. `steady_minutes`: recorded since the clock jumped.
CREATE TABLE progress (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE m1_host (
  entity INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  cpu_percent INTEGER, mem_percent INTEGER, mem_used_bytes INTEGER, swap_used_bytes INTEGER, load1 INTEGER,
  disk_percent INTEGER, disk_read_bps INTEGER, disk_write_bps INTEGER, net_rx_bps INTEGER, net_tx_bps INTEGER,
  cpu_temp_c INTEGER,
  cpu_percent_max INTEGER, mem_percent_max INTEGER, mem_used_bytes_max INTEGER, swap_used_bytes_max INTEGER,
  load1_max INTEGER, disk_percent_max INTEGER, disk_read_bps_max INTEGER, disk_write_bps_max INTEGER,
  net_rx_bps_max INTEGER, net_tx_bps_max INTEGER, cpu_temp_c_max INTEGER,
  PRIMARY KEY (entity, bucket)) STRICT, WITHOUT ROWID;

CREATE TABLE h1_host (
  entity INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  cpu_percent INTEGER, mem_percent INTEGER, mem_used_bytes INTEGER, swap_used_bytes INTEGER, load1 INTEGER,
  disk_percent INTEGER, disk_read_bps INTEGER, disk_write_bps INTEGER, net_rx_bps INTEGER, net_tx_bps INTEGER,
  cpu_temp_c INTEGER,
  cpu_percent_max INTEGER, mem_percent_max INTEGER, mem_used_bytes_max INTEGER, swap_used_bytes_max INTEGER,
  load1_max INTEGER, disk_percent_max INTEGER, disk_read_bps_max INTEGER, disk_write_bps_max INTEGER,
  net_rx_bps_max INTEGER, net_tx_bps_max INTEGER, cpu_temp_c_max INTEGER,
  PRIMARY KEY (entity, bucket)) STRICT, WITHOUT ROWID;

CREATE TABLE d1_host (
  entity INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  cpu_percent INTEGER, mem_percent INTEGER, mem_used_bytes INTEGER, swap_used_bytes INTEGER, load1 INTEGER,
  disk_percent INTEGER, disk_read_bps INTEGER, disk_write_bps INTEGER, net_rx_bps INTEGER, net_tx_bps INTEGER,
  cpu_temp_c INTEGER,
  cpu_percent_max INTEGER, mem_percent_max INTEGER, mem_used_bytes_max INTEGER, swap_used_bytes_max INTEGER,
  load1_max INTEGER, disk_percent_max INTEGER, disk_read_bps_max INTEGER, disk_write_bps_max INTEGER,
  net_rx_bps_max INTEGER, net_tx_bps_max INTEGER, cpu_temp_c_max INTEGER,
  PRIMARY KEY (entity, bucket)) STRICT, WITHOUT ROWID;

CREATE TABLE m1_app (
  entity INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  cpu_percent INTEGER, mem_bytes INTEGER, net_rx_bps INTEGER, net_tx_bps INTEGER, disk_read_bps INTEGER,
  disk_write_bps INTEGER,
  cpu_percent_max INTEGER, mem_bytes_max INTEGER, net_rx_bps_max INTEGER, net_tx_bps_max INTEGER,
  disk_read_bps_max INTEGER, disk_write_bps_max INTEGER,
  PRIMARY KEY (entity, bucket)) STRICT, WITHOUT ROWID;

CREATE TABLE h1_app (
  entity INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  cpu_percent INTEGER, mem_bytes INTEGER, net_rx_bps INTEGER, net_tx_bps INTEGER, disk_read_bps INTEGER,
  disk_write_bps INTEGER,
  cpu_percent_max INTEGER, mem_bytes_max INTEGER, net_rx_bps_max INTEGER, net_tx_bps_max INTEGER,
  disk_read_bps_max INTEGER, disk_write_bps_max INTEGER,
  PRIMARY KEY (entity, bucket)) STRICT, WITHOUT ROWID;

CREATE TABLE d1_app (
  entity INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  cpu_percent INTEGER, mem_bytes INTEGER, net_rx_bps INTEGER, net_tx_bps INTEGER, disk_read_bps INTEGER,
  disk_write_bps INTEGER,
  cpu_percent_max INTEGER, mem_bytes_max INTEGER, net_rx_bps_max INTEGER, net_tx_bps_max INTEGER,
  disk_read_bps_max INTEGER, disk_write_bps_max INTEGER,
  PRIMARY KEY (entity, bucket)) STRICT, WITHOUT ROWID;

CREATE TABLE m1_iface (
  entity INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  rx_bps INTEGER, tx_bps INTEGER,
  rx_bps_max INTEGER, tx_bps_max INTEGER,
  PRIMARY KEY (entity, bucket)) STRICT, WITHOUT ROWID;

CREATE TABLE h1_iface (
  entity INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  rx_bps INTEGER, tx_bps INTEGER,
  rx_bps_max INTEGER, tx_bps_max INTEGER,
  PRIMARY KEY (entity, bucket)) STRICT, WITHOUT ROWID;

CREATE TABLE d1_iface (
  entity INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  rx_bps INTEGER, tx_bps INTEGER,
  rx_bps_max INTEGER, tx_bps_max INTEGER,
  PRIMARY KEY (entity, bucket)) STRICT, WITHOUT ROWID;

CREATE TABLE m1_fs (
  entity INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  used_percent INTEGER, used_bytes INTEGER, total_bytes INTEGER, inode_percent INTEGER,
  used_percent_max INTEGER, used_bytes_max INTEGER, total_bytes_max INTEGER, inode_percent_max INTEGER,
  PRIMARY KEY (entity, bucket)) STRICT, WITHOUT ROWID;

CREATE TABLE h1_fs (
  entity INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  used_percent INTEGER, used_bytes INTEGER, total_bytes INTEGER, inode_percent INTEGER,
  used_percent_max INTEGER, used_bytes_max INTEGER, total_bytes_max INTEGER, inode_percent_max INTEGER,
  PRIMARY KEY (entity, bucket)) STRICT, WITHOUT ROWID;

CREATE TABLE d1_fs (
  entity INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  used_percent INTEGER, used_bytes INTEGER, total_bytes INTEGER, inode_percent INTEGER,
  used_percent_max INTEGER, used_bytes_max INTEGER, total_bytes_max INTEGER, inode_percent_max INTEGER,
  PRIMARY KEY (entity, bucket)) STRICT, WITHOUT ROWID;
