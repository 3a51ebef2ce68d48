-- Nobody has a relationship with themselves. A merge may have made one; separating the people gives it back.
update moved_rows m set existed = true from users u
    where m.table_name = 'relationships' and not m.existed and u.person_id = m.to_id
        and u.id = (m.row ->> 'user_id')::bigint;
delete from relationships r using users u where u.id = r.user_id and u.person_id = r.person_id;
