DROP TABLE IF EXISTS people_{{v}}, people_nested_{{v}}, people_written_{{v}}, companies_{{v}};
