-- Blocking keys of everyone's people are stored from the first merge on. Where they are
-- stored already they are kept.
insert into settings (key, value)
select 'everyones_blocks_kept', 'true'
where exists (select from settings where key = 'blocks_kept') and exists (select from people where owner = '')
on conflict (key) do nothing;
