-- Most people's records are compressed, and what statements read of them is in record. A
-- person without packed has all in record: who was stored before, or has little to say.
alter table people add column packed bytea;
alter table people alter column packed set storage external;
