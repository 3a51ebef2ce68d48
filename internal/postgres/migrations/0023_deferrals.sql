-- How often a mail server asked to try an e-mail again later; it is tried a
-- bounded number of times.
alter table emails add column deferrals integer not null default 0;
