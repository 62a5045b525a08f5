-- Two apps may have the same port, each at an address of its own: a resolver for this server and one for the network.
CREATE TABLE app_ports_by_place (
  app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  service TEXT NOT NULL,
  container INTEGER NOT NULL,
  protocol TEXT NOT NULL CHECK (protocol IN ('tcp', 'udp')),
  host INTEGER NOT NULL,
  bind TEXT NOT NULL,
  purpose TEXT NOT NULL,
  PRIMARY KEY (app_id, service, container, protocol),
  UNIQUE (host, protocol, bind)
) STRICT;

INSERT INTO app_ports_by_place SELECT app_id, service, container, protocol, host, bind, purpose FROM app_ports;
DROP TABLE app_ports;
ALTER TABLE app_ports_by_place RENAME TO app_ports;
