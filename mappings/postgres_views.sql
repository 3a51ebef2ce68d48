DROP VIEW IF EXISTS people_search, people_search_nested;
CREATE VIEW people_search AS SELECT
  id, rank, record ->> 'full_name' AS full_name,
  experience, current_company_size, current_company_founded, current_start_day, current_tenure,
  terms, phrases, facets, record
FROM people_{{v}};
CREATE VIEW people_search_nested AS SELECT
  person_id, path,
  company_size, company_founded, start_day, end_day, tenure,
  terms, phrases
FROM people_nested_{{v}};
