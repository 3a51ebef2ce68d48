-- The tables of one version of the index; {{v}} is its name. Its indexes are in another file, because a version is
-- filled before they are created.
--
-- terms holds the hash of "field:value" for every value of a Keyword field and every token of a Words field, and for
-- titles also of every two to four adjacent tokens. present has a bit for each field with a term. phrases has a line
-- for every sequence of several tokens of a Words field: the code of the field, which is its bit, and the tokens
-- between spaces.
--
-- Long values are stored out of line, so the rows of a million people fit in memory and a search can sort thousands of
-- them. terms are not compressed, because conditions read them. Inline are signature, a Bloom filter of the terms that
-- rejects most rows; facets, which are counted over all matches; and one_job, which decides most conditions on the
-- current job.

CREATE TABLE people_{{v}} (
  id bigint PRIMARY KEY,
  rank bigint NOT NULL,
  version bigint NOT NULL,
  experience bigint,
  rising bigint,
  experienced bigint,
  loyal bigint,
  connected bigint,
  founded bigint,
  hops bigint,
  standing bigint,
  employers bigint,
  longest_stay bigint,
  longest_gap bigint,
  current_company_size bigint,
  current_company_founded bigint,
  current_start_day bigint,
  current_tenure bigint,
  current_stay bigint,
  terms bigint[] NOT NULL,
  present bytea NOT NULL,
  phrases text NOT NULL,
  facets jsonb NOT NULL,
  record json NOT NULL,
  signature bytea NOT NULL,
  one_job boolean NOT NULL
) WITH (toast_tuple_target = 384);
ALTER TABLE people_{{v}} ALTER COLUMN terms SET STORAGE EXTERNAL, ALTER COLUMN present SET STORAGE PLAIN, ALTER COLUMN signature SET STORAGE PLAIN, ALTER COLUMN facets SET STORAGE MAIN;
-- No query plan depends on statistics of these columns, and collecting them takes longer than for all others together.
ALTER TABLE people_{{v}} ALTER COLUMN present SET STATISTICS 0, ALTER COLUMN phrases SET STATISTICS 0, ALTER COLUMN facets SET STATISTICS 0, ALTER COLUMN record SET STATISTICS 0, ALTER COLUMN signature SET STATISTICS 0;

-- One row for each sub-document of a person.
CREATE TABLE people_nested_{{v}} (
  person_id bigint NOT NULL,
  path text NOT NULL,
  company_size bigint,
  company_founded bigint,
  start_day bigint,
  tenure bigint,
  stay bigint,
  end_day bigint,
  terms bigint[] NOT NULL,
  present bytea NOT NULL,
  phrases text NOT NULL
);
ALTER TABLE people_nested_{{v}} ALTER COLUMN terms SET STATISTICS 0, ALTER COLUMN present SET STATISTICS 0, ALTER COLUMN phrases SET STATISTICS 0;
CREATE INDEX people_nested_{{v}}_person ON people_nested_{{v}} (person_id);
-- Few people have sub-documents of a current job. This index finds them without reading the other sub-documents.
CREATE INDEX people_nested_{{v}}_current ON people_nested_{{v}} (person_id) WHERE path = 'current';

CREATE TABLE companies_{{v}} (
  id bigint PRIMARY KEY,
  rank bigint NOT NULL,
  version bigint NOT NULL,
  company_size bigint,
  company_founded bigint,
  terms bigint[] NOT NULL,
  present bytea NOT NULL,
  phrases text NOT NULL,
  facets jsonb NOT NULL,
  record json NOT NULL
) WITH (toast_tuple_target = 256);
ALTER TABLE companies_{{v}} ALTER COLUMN terms SET STORAGE EXTERNAL, ALTER COLUMN present SET STORAGE PLAIN;
