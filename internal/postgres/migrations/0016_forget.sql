-- How what names a person is found when the person is to be forgotten.

-- The last segments of the identifiers of introducers, in lower case: among
-- those that have one are all that may mean a person.
create function introducer_keys(introducers jsonb) returns text[] language sql immutable parallel safe as $$
    select coalesce(array_agg(ltrim(regexp_replace(rtrim(regexp_replace(lower(btrim(i ->> 'social_identifier')), '[?#].*$', ''), '/'), '^.*/', ''), '@')), '{}')
    from jsonb_array_elements(introducers) i
$$;
create index leads_introducers on leads using gin (introducer_keys(introducers)) where introducers <> '[]';
create index emails_to on emails (lower(to_address)) where to_address <> '';
create index suppressions_address on suppressions (address);
-- Who of them waits to be counted for the vocabulary.
create index outbox_fresh on outbox (id) where fresh;
