-- The sealing keys are a ring: the one that seals, and older ones that still open.
insert into settings (key, value)
select 'keys', jsonb_build_object('ids', value, 'keys', jsonb_build_array(jsonb_build_object(
    'id', 1, 'made', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'secret', value)))
from settings where key = 'sealing_key';
delete from settings where key = 'sealing_key';
