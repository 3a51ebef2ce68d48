-- Ids that callers see are random: sequences told each caller how much others had stored meanwhile. Those of people and
-- companies are drawn in Go.
drop sequence person_id;
drop sequence company_id;

-- A random number from 2^52 on and below 2^53, which JSON numbers represent exactly.
create function random_id() returns bigint language sql volatile as $$
    select (1::bigint << 52) | ('x' || left(u, 8) || right(u, 5))::bit(52)::bigint
    from (select gen_random_uuid()::text as u) r
$$;
alter table erasures alter column id drop identity, alter column id set default random_id();
alter table webhooks alter column id set default random_id();
