import { pbkdf2Sync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as plugin from "better-auth-tenant";
import * as imports from "better-auth-tenant/imports";
import * as hashes from "better-auth-tenant/password-hashes";
import { describe, expect, it, vi } from "vitest";
import { textOf } from "../../../../testing/pages";
import { conflictSchema } from "../../src/features/imports/conflicts";
import { importLineSchema } from "../../src/features/imports/import-line";
import { makePlatform } from "../support/worlds/moving-people";
import { runBlock } from "./code-blocks/run-block";

const MOVING_IN = "docs/moving-in.md";
const ORGANIZATIONS = "docs/from-organizations.md";
const IMPORT = "docs/import.md";
const FORMATS = "docs/import-formats.md";

type Exports = Record<string, (...input: unknown[]) => Promise<unknown>>;

const run = (page: string, name: string, modules: Record<string, object>) =>
	runBlock<Exports>(page, name, modules);

const columnOf = (page: string, heading: string) => {
	const [, table = ""] = textOf(page).split(`${heading}\n| --- |`);
	return [...(table.split("\n\n")[0] ?? "").matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = ""]) =>
		[...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
	);
};

describe("the pages about moving in", () => {
	it("moves a customer, and converts an organization", async () => {
		const { auth, call, signUp, makeTenant, sessionOf } = await makePlatform();
		const modules = {
			"./auth.js": { auth },
			"better-auth-tenant": plugin,
			"better-auth-tenant/imports": imports,
		};
		const [ada, bob] = [await signUp(), await signUp()];
		const tenantId = await makeTenant();
		const { moveCustomer } = await run(MOVING_IN, "move-users.ts", modules);
		expect(await moveCustomer?.(tenantId, [ada.id])).toEqual([]);
		expect(await moveCustomer?.(tenantId, [ada.id])).toMatchObject([{ code: "USER_IN_TENANT" }]);
		expect((await sessionOf(ada.cookie)).session.tenantId).toBe(tenantId);

		const { convert } = await run(ORGANIZATIONS, "organization-to-tenant.ts", modules);
		const organization = await call("/organization/create", {
			cookie: bob.cookie,
			body: { name: "Acme", slug: "acme" },
		});
		expect(await convert?.(organization.body.id)).toMatchObject({ tenant: { slug: "acme" } });
	});

	it("imports a file, and verifies a password", async () => {
		const modules = { "better-auth-tenant": plugin, "better-auth-tenant/imports": imports };
		const { plugin: own } = await run(IMPORT, "password-hashes.ts", modules);
		const { passwordHashes } = (own as unknown as { options: imports.TenantImportsOptions })
			.options;
		const key = pbkdf2Sync("right", "salt", 1000, 32, "sha256").toString("base64");
		const hash = `1000$${Buffer.from("salt").toString("base64")}$${key}`;
		const verify = (password: string) => passwordHashes?.pbkdf2?.verify({ hash, password });
		expect([verify("right"), verify("wrong")]).toEqual([true, false]);

		const bcrypt = { verify: () => true };
		const { auth, makeTenant } = await makePlatform({ imports: { passwordHashes: { bcrypt } } });
		const [, line = ""] = textOf(IMPORT).match(/^```json\n(\{ "externalId".*?)\n```$/ms) ?? [];
		const { importFile } = await run(IMPORT, "import-users.ts", {
			...modules,
			"./auth.js": { auth },
		});
		const folder = mkdtempSync(join(tmpdir(), "moving-in-"));
		writeFileSync(join(folder, "users.ndjson"), `${line}\n`);
		expect(await importFile?.(await makeTenant(), join(folder, "users.ndjson"))).toBe(1);
		rmSync(folder, { recursive: true });
	});

	it("verifies passwords of Firebase", async () => {
		// Firebase's own example.
		vi.stubEnv(
			"FIREBASE_SIGNER_KEY",
			"jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
		);
		const modules = {
			"better-auth-tenant/imports": imports,
			"better-auth-tenant/password-hashes": hashes,
		};
		const { plugin: own } = await run(FORMATS, "firebase-hashes.ts", modules);
		vi.unstubAllEnvs();
		const { passwordHashes } = (own as unknown as { options: imports.TenantImportsOptions })
			.options;
		const hash =
			"42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==";
		const verify = passwordHashes?.["firebase-scrypt"]?.verify;
		expect(await verify?.({ hash, password: "user1password" })).toBe(true);
	});

	it("lists every conflict, and every field of a line", () => {
		const ofOrganizations = "IN_SEVERAL_ORGANIZATIONS";
		const codes = conflictSchema.shape.code.options.filter((code) => code !== ofOrganizations);
		expect(columnOf(MOVING_IN, "| code | meaning, and what to do |")).toEqual(codes);
		expect(textOf(ORGANIZATIONS)).toContain(ofOrganizations);
		const fields = columnOf(IMPORT, "| field | |");
		expect(fields.sort()).toEqual(Object.keys(importLineSchema.shape).sort());
	});
});
