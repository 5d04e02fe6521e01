-- Splits the tables of users into hash partitions by tenant, with the rows that are in them.
-- docs/scaling.md says what this breaks. A test runs the main behaviors of the plugin on the result.
--
-- Run it on a copy first, with the app stopped, after Better Auth's migration:
--   psql --single-transaction --file docs/partitions.sql "$DATABASE_URL"
-- For random ids (Better Auth's default) and UUIDs, not for serial ids.

do $$
declare
	-- A hash partition cannot be split later without moving its rows. 16 are enough for most.
	parts constant int := 16;
	tables constant text[] := array['user', 'account', 'session', 'verification'];
	tab text;
	found record;
	statements text[] := '{}';
begin
	-- The indexes get the same names, so Better Auth's migration finds nothing to do. A unique index
	-- must include the column of the partitions.
	foreach tab in array tables loop
		for found in
			select index.relname as name, i.indisunique as is_unique,
				array_agg(quote_ident(a.attname) order by k.position) as columns
			from pg_index i
			join pg_class index on index.oid = i.indexrelid
			cross join lateral unnest(i.indkey::int2[]) with ordinality k (attribute, position)
			join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attribute
			where i.indrelid = quote_ident(tab)::regclass and not i.indisprimary
			group by index.relname, i.indisunique
		loop
			if found.is_unique and not '"tenantId"' = any (found.columns) then
				found.columns := found.columns || '"tenantId"'::text;
			end if;
			statements := statements || format('create %s index %I on %I (%s)',
				case when found.is_unique then 'unique' else '' end,
				found.name, tab, array_to_string(found.columns, ', '));
		end loop;
	end loop;

	foreach tab in array tables loop
		execute format('alter table %I rename to %I', tab, tab || '_whole');
		execute format('create table %I (like %I including defaults) partition by hash ("tenantId")',
			tab, tab || '_whole');
		for part in 0 .. parts - 1 loop
			execute format('create table %I partition of %I for values with (modulus %s, remainder %s)',
				tab || '_' || part, tab, parts, part);
		end loop;
		execute format('insert into %I select * from %I', tab, tab || '_whole');
	end loop;
	-- Foreign keys of other plugins' tables to user (id) go with it: they cannot be kept.
	foreach tab in array tables loop
		execute format('drop table %I cascade', tab || '_whole');
	end loop;

	foreach tab in array tables loop
		execute format('alter table %I add primary key (id, "tenantId")', tab);
	end loop;
	foreach tab in array statements loop
		execute tab;
	end loop;
	foreach tab in array array['account', 'session'] loop
		execute format('alter table %I add foreign key ("userId", "tenantId")
			references "user" (id, "tenantId") on delete cascade', tab);
	end loop;
end $$;

analyze;
