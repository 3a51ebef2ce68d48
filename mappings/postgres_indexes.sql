-- The indexes of one version, one statement a line.
--
-- Orders are kept as ~value, the complement, which falls as the value grows
-- and exists for every bigint: so (~rank, id) ascends in the order of a search
-- and a place in it is one row comparison. A missing number is the lowest.

CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_terms ON people_{{v}} USING gin (terms) WITH (gin_pending_list_limit = 256);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_rank ON people_{{v}} ((~rank), id);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_experience ON people_{{v}} ((~COALESCE(experience, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_current_company_size ON people_{{v}} ((~COALESCE(current_company_size, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_current_company_founded ON people_{{v}} ((~COALESCE(current_company_founded, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_current_start_day ON people_{{v}} ((~COALESCE(current_start_day, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS people_{{v}}_current_tenure ON people_{{v}} ((~COALESCE(current_tenure, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS companies_{{v}}_terms ON companies_{{v}} USING gin (terms) WITH (gin_pending_list_limit = 256);
CREATE INDEX {{how}} IF NOT EXISTS companies_{{v}}_rank ON companies_{{v}} ((~rank), id);
CREATE INDEX {{how}} IF NOT EXISTS companies_{{v}}_company_size ON companies_{{v}} ((~COALESCE(company_size, -9223372036854775808)), id);
CREATE INDEX {{how}} IF NOT EXISTS companies_{{v}}_company_founded ON companies_{{v}} ((~COALESCE(company_founded, -9223372036854775808)), id);
