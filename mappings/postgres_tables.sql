-- The tables of one version of the index; {{v}} stands for its name.
--
-- terms holds "field:value" for every value of a Keyword field and every token
-- of a Words field, and "exists:field" for every field that has any. It lies
-- outside of the row: the rows that an index on terms points to are then small
-- and lie close together, and sorting many of them by rank reads no terms.
--
-- Orders are kept as ~value, the complement, which falls as the value grows
-- and exists for every bigint: so (~rank, id) ascends in the order of a search
-- and a place in it is one row comparison. A missing number is the lowest.

CREATE TABLE people_{{v}} (
  id bigint PRIMARY KEY,
  rank bigint NOT NULL,
  version bigint NOT NULL,
  experience bigint,
  current_company_size bigint,
  current_company_founded bigint,
  current_start_day bigint,
  current_tenure bigint,
  terms text[] NOT NULL,
  phrases text[] NOT NULL,
  facets jsonb NOT NULL,
  record json NOT NULL
);
CREATE INDEX people_{{v}}_terms ON people_{{v}} USING gin (terms) WITH (gin_pending_list_limit = 4096);
CREATE INDEX people_{{v}}_rank ON people_{{v}} ((~rank), id);
CREATE INDEX people_{{v}}_experience ON people_{{v}} ((~COALESCE(experience, -9223372036854775808)), id);
CREATE INDEX people_{{v}}_current_company_size ON people_{{v}} ((~COALESCE(current_company_size, -9223372036854775808)), id);
CREATE INDEX people_{{v}}_current_company_founded ON people_{{v}} ((~COALESCE(current_company_founded, -9223372036854775808)), id);
CREATE INDEX people_{{v}}_current_start_day ON people_{{v}} ((~COALESCE(current_start_day, -9223372036854775808)), id);
CREATE INDEX people_{{v}}_current_tenure ON people_{{v}} ((~COALESCE(current_tenure, -9223372036854775808)), id);

-- One row for each sub-document of a person.
CREATE TABLE people_nested_{{v}} (
  person_id bigint NOT NULL,
  path text NOT NULL,
  company_size bigint,
  company_founded bigint,
  start_day bigint,
  end_day bigint,
  tenure bigint,
  terms text[] NOT NULL,
  phrases text[] NOT NULL
);
CREATE INDEX people_nested_{{v}}_person ON people_nested_{{v}} (person_id);

CREATE TABLE companies_{{v}} (
  id bigint PRIMARY KEY,
  rank bigint NOT NULL,
  version bigint NOT NULL,
  company_size bigint,
  company_founded bigint,
  terms text[] NOT NULL,
  phrases text[] NOT NULL,
  facets jsonb NOT NULL,
  record json NOT NULL
);
CREATE INDEX companies_{{v}}_terms ON companies_{{v}} USING gin (terms);
CREATE INDEX companies_{{v}}_rank ON companies_{{v}} ((~rank), id);
CREATE INDEX companies_{{v}}_company_size ON companies_{{v}} ((~COALESCE(company_size, -9223372036854775808)), id);
CREATE INDEX companies_{{v}}_company_founded ON companies_{{v}} ((~COALESCE(company_founded, -9223372036854775808)), id);
