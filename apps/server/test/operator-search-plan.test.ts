import { describe, expect, test } from "vitest";
import { eachDatabase } from "../../../packages/tenant-auth/test/support/databases/each-database";
import { explain } from "../../../packages/tenant-auth/test/support/databases/query-plan";
import { recordStatements } from "../../../packages/tenant-auth/test/support/databases/recorded-database";
import { addCrowd } from "../../../packages/tenant-auth/test/support/worlds/crowd";
import { type AuthParts, authOptions, createAuth } from "../src/auth";
import { migrate } from "../src/database/migrate";
import { createMailer } from "../src/email/mailer";
import { searchUsers } from "../src/http/operator-search";
import { createLog } from "../src/monitoring/log";
import { serviceConfig } from "../src/settings/service-config";
import { readSettings } from "../src/settings/settings";
import { temporaryDirectory } from "./temporary-directory";

/** How the search over all tenants finds its rows, in a database with many. */
describe.each(eachDatabase)("on %s", (_, open) => {
	test("a search over all tenants reads no whole table", async () => {
		const opened = await open();
		const recorded = recordStatements(opened);
		try {
			const settings = readSettings({ DATA_DIR: temporaryDirectory() }, "/");
			const secret = "a secret for tests with 32 characters and more: 8dK2!x";
			const secrets = {
				...{ secret, managementKeys: [], fromSettings: true },
				...{ newManagementKey: null, file: "" },
			};
			const config = serviceConfig(settings, secrets, 3000);
			const log = createLog({ level: "silent", secrets: [] });
			const database = { ...recorded, transaction: true } as unknown as AuthParts["database"];
			const mailer = createMailer(settings.email, log, () => {});
			const parts = { database, redis: null, mailer, log };
			await migrate(authOptions(config, parts), database);
			const auth = createAuth(config, parts);
			const { id } = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
			await addCrowd(recorded, id);
			recorded.statements.length = 0;
			const { users } = await searchUsers({ auth }, "crowd-19", { searchedUsers: 100 });
			// The newest 100 have smaller numbers, so these are found by their beginning.
			expect(users).toHaveLength(20);
			const statements = [...recorded.statements];
			const ofUsers = statements.filter(({ sql }) => /from ["`]user["`]/.test(sql));
			expect(ofUsers).toHaveLength(6);
			for (const statement of ofUsers) {
				const plan = await explain(recorded.db, recorded.type, statement);
				// The oldest of the newest users is read in the order of an index, up to its offset.
				const isNth = /offset/.test(statement.sql);
				expect([statement.sql, plan?.sorts]).toEqual([statement.sql, false]);
				if (!isNth) expect([statement.sql, plan?.scans]).toEqual([statement.sql, []]);
			}
		} finally {
			if (recorded.type === "sqlite") await recorded.db.destroy();
			await opened.close();
		}
	});
});
