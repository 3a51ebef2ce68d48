-- The indexes of one version, one statement per line.
--
-- Orders use ~value, the complement, which falls as the value grows and exists for every bigint. So (~rank, id) ascends
-- in search order, and a position in it is one row comparison. A missing number sorts as the lowest. Rank, judgements
-- and company size (for narrow ranges) have indexes; ordering by another number needs a sort.

CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_terms ON people_{{v}} USING gin (terms) WITH (gin_pending_list_limit = 256);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_rank ON people_{{v}} ((~rank), id);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_rising ON people_{{v}} ((~COALESCE(rising, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_experienced ON people_{{v}} ((~COALESCE(experienced, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_loyal ON people_{{v}} ((~COALESCE(loyal, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_connected ON people_{{v}} ((~COALESCE(connected, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_founded ON people_{{v}} ((~COALESCE(founded, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_hops ON people_{{v}} ((~COALESCE(hops, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_standing ON people_{{v}} ((~COALESCE(standing, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_current_company_size ON people_{{v}} ((~COALESCE(current_company_size, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS companies_{{v}}_terms ON companies_{{v}} USING gin (terms) WITH (gin_pending_list_limit = 256);
CREATE INDEX {{how}} IF NOT EXISTS companies_{{v}}_rank ON companies_{{v}} ((~rank), id);
