import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { TEST_ALL } from "../../../../testing/services";
import { askForAnotherTenant } from "../support/databases/conflicting-query";
import { makeInstance } from "../support/worlds/instance";

type Outcome = Awaited<ReturnType<typeof askForAnotherTenant>>;

const program = fileURLToPath(
	new URL("../support/databases/conflicting-query.ts", import.meta.url),
);
const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Better Auth reads NODE_ENV once, when it is loaded: a process of its own is needed. */
function runUnder(environment: string): Outcome {
	const printed = execFileSync(process.execPath, ["--import", "tsx", program, "--print"], {
		cwd: root,
		env: { ...process.env, NODE_ENV: environment },
		encoding: "utf8",
	});
	return JSON.parse(String(printed.trim().split("\n").at(-1)));
}

const refused = "CROSS_TENANT_QUERY";

describe("a query that names another tenant than its scope", () => {
	it("throws in tests, with the call site in the log", async () => {
		const { found, counted, changed, log, name } = await askForAnotherTenant();
		expect([found, counted, changed]).toEqual([refused, refused, refused]);
		expect(log).toHaveLength(3);
		expect(log[0]).toMatch(/^error A query of user names the tenant/);
		expect(log[0]).toContain("theMistakenFunction");
		expect(name).toBe("User");
	});

	if (TEST_ALL)
		it("throws in development", () => {
			const { found, counted, changed, name } = runUnder("development");
			expect([found, counted, changed, name]).toEqual([refused, refused, refused, "User"]);
		});

	it("is logged and finds nothing in production", () => {
		const { found, counted, changed, log, name } = runUnder("production");
		expect([found, counted, changed, name]).toEqual([[], 0, 0, "User"]);
		expect(log.filter((line) => line.includes("names the tenant"))).toHaveLength(3);
		expect(log[0]).toContain("theMistakenFunction");
	});

	it("throws in a tenant that asks for rows of the platform", async () => {
		const { auth, makeTenant } = await makeInstance();
		const { adapter } = await auth.$context;
		const tenantId = await makeTenant();
		for (const value of [null, ""]) {
			const where = [{ field: "tenantId", value }];
			await expect(
				runInTenant(auth, tenantId, () => adapter.findMany({ model: "user", where })),
			).rejects.toThrow('A query of user names the tenant "" while another one is in scope');
		}
	});

	it("is none where the platform asks for rows of no tenant", async () => {
		const { auth } = await makeInstance();
		const { adapter } = await auth.$context;
		for (const value of [null, ""]) {
			const where = [{ field: "tenantId", value }];
			await expect(adapter.findMany({ model: "user", where })).resolves.toEqual([]);
		}
	});
});
