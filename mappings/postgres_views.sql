DROP VIEW IF EXISTS people_search, people_search_nested;
CREATE VIEW people_search AS SELECT
  id, rank, record ->> 'full_name' AS full_name,
  experience, rising, experienced, loyal, connected, founded, hops, standing,
  employers, longest_stay, longest_gap,
  current_company_size, current_company_founded, current_start_day, current_tenure, current_stay,
  terms, {{fields}} AS fields, {{phrases}} AS phrases, facets, record
FROM people_{{v}};
CREATE VIEW people_search_nested AS SELECT
  person_id, path,
  company_size, company_founded, start_day, tenure, stay, end_day,
  terms, {{fields}} AS fields, {{phrases}} AS phrases
FROM people_nested_{{v}};
