import { describe, expect, it } from "vitest";
import { openSqlite } from "../support/databases";
import { openDrizzleSqlite } from "../support/drizzle-databases";
import { makeInstance } from "../support/instance";
import { makeMemoryStorage } from "../support/memory-storage";
import { makePlainHost } from "../support/plain-host";
import {
	describeMigrationAlone,
	describeNewIndex,
	describeRemovedFields,
	describeUpgrade,
	upgrade,
} from "../support/upgrade-behaviors";

describe("an upgrade on SQLite", () => {
	describeUpgrade(openSqlite);
	describeMigrationAlone(openSqlite);
	describeNewIndex(openSqlite);
	describeRemovedFields(openSqlite);

	it.each([
		["a secondary storage", { secondaryStorage: makeMemoryStorage() }],
		["the cookie cache", { session: { cookieCache: { enabled: true } } }],
	])("keeps sessions in %s, as sessions of the platform", async (_, options) => {
		const on = await openSqlite();
		const plain = await makePlainHost(on, options);
		const { cookie } = await plain.signUp("ada@example.com");

		await upgrade(on, options);

		const { call, makeTenant } = await makeInstance({ on, ...options });
		const onPlatform = await call("/get-session", { cookie });
		expect(onPlatform.body.user.email).toBe("ada@example.com");
		const inTenant = await call("/get-session", { cookie, tenant: await makeTenant() });
		expect(inTenant.body).toBe(null);
		await on.close();
	});
});

describe("an upgrade under Drizzle", () => {
	describeNewIndex(openDrizzleSqlite);
});
