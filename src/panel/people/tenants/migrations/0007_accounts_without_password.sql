-- Accounts that a directory or a workspace's own sign-in made: those that are in no workspace any more are forgotten.
CREATE INDEX accounts_without_password ON accounts (id) WHERE password_hash = 'sso';
