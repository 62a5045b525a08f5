-- What is asked of a user's sessions is asked of the active ones; each sign-in had to keep both.
DROP INDEX sessions_user;
