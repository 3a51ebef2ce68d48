-- The jobs of a user who is deleted: without the index each deleted user reads
-- the jobs of everyone.
create index jobs_user on jobs (user_id);
