import { organizationToTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../support/databases";
import { makeInstance } from "../support/instance";
import { describeOrganizationToTenant } from "../support/organization-to-tenant-behaviors";

describe("organizationToTenant on SQLite", () => {
	describeOrganizationToTenant(openSqlite);

	it("finds no organization without the organization plugin", async () => {
		const { auth } = await makeInstance();
		await expect(organizationToTenant(auth, { organizationId: "any" })).rejects.toMatchObject({
			body: { code: "ORGANIZATION_NOT_FOUND" },
		});
	});
});
