import { planUpgrade } from "better-auth-tenant/upgrade";
import { describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import { openMysql } from "../support/databases/databases";
import { makePlainHost, runSql } from "../support/worlds/plain-host";
import { upgrade, withTenants } from "../support/worlds/upgraded-app";

const open = () => openMysql(String(services.mysql));

describe.skipIf(!services.mysql)("an upgrade on MariaDB", () => {
	it("limits the length of account ids, unless a value is longer", async () => {
		const on = await open();
		const plain = await makePlainHost(on);
		const { userId } = await plain.signUp("ada@example.com");
		await plain.linkSocial(userId, "google", "\u{1f980}".repeat(256));
		await runSql(
			on,
			"alter table account modify column providerId text collate utf8mb4_bin not null",
		);

		// Older versions of Better Auth created it as text.
		await runSql(on, "alter table verification modify column identifier text not null");

		const { blockers } = await planUpgrade(withTenants(on));
		expect(blockers.join()).toBe(
			"account.accountId must fit into varchar(255) for an index, but 1 of its values is longer",
		);

		await runSql(on, "update account set accountId = left(accountId, 255)");
		await upgrade(on);
		const columns = await runSql(
			on,
			`select column_name as name, column_type as type, collation_name as collation, is_nullable as nullable
				from information_schema.columns where table_schema = database() and table_name = 'account'
				and column_name in ('accountId', 'providerId') order by 1`,
		);
		expect(columns).toEqual([
			{ name: "accountId", type: "varchar(255)", collation: "utf8mb4_general_ci", nullable: "NO" },
			{ name: "providerId", type: "varchar(255)", collation: "utf8mb4_bin", nullable: "NO" },
		]);
		await on.close();
	});

	it("continues after every statement at which it may stop, because MySQL has no rollback for tables", async () => {
		const on = await open();
		const plain = await makePlainHost(on);
		await plain.signUp("ada@example.com");
		const { statements } = await planUpgrade(withTenants(on));

		let left = statements;
		const ran: string[] = [];
		while (left[0] && ran.length < statements.length) {
			await runSql(on, left[0].sql);
			ran.push(left[0].sql);
			left = (await planUpgrade(withTenants(on))).statements;
		}

		expect(left).toEqual([]);
		expect(ran).toHaveLength(statements.length);
		await on.close();
	});
});
