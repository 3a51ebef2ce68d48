DROP TABLE IF EXISTS people_{{v}}, people_nested_{{v}}, companies_{{v}};
