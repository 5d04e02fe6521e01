// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, never, offline, refuse } from "../../support/answers";
import type { FakeServer, Handlers } from "../../support/fake-server";
import { fakeUploads } from "../../support/fake-uploads";
import { operatorWithout } from "../../support/fixtures/operators";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, byLabel, byRole, findByRole, findTexts } from "../../support/screen";
import { click, type, upload } from "../../support/user";

const CONFIRM = "POST /operator/confirm";
const REQUEST = "POST /service/tenant-file/import";
const RESUME = "POST /tenant/resume";

const REPORT = {
	...{ tenantId: acme.id, slug: "acme", written: 1200, existing: 34 },
	tables: { user: 617, account: 617 },
};

const open = (handlers: Handlers = {}): Promise<FakeServer> => {
	fakeUploads();
	return openConsole("/tenants/import", {
		[CONFIRM]: json({ actor: {} }),
		[REQUEST]: json(REPORT),
		...handlers,
	});
};

const fill = async () => {
	await upload("File", new File(["age-encryption.org/v1"], "acme.age"));
	await type("Password of the file", "the password of the file");
	await type("Your password", "correct horse");
};

const send = async () => {
	await fill();
	await click("Import tenant");
};

const conflicts = [
	[400, "FILE_NOT_DECRYPTED", "The file cannot be decrypted. Is it the password of this file?"],
	[400, "FILE_DAMAGED", "The file is damaged"],
	[400, "TENANT_FILE_REFUSED", "this app has no column user.plan"],
	[409, "TENANT_ALREADY_EXISTS", "Another tenant has this slug"],
	[413, "FILE_TOO_LARGE", "The file is larger than 1 GiB"],
	[429, "TOO_MANY_REQUESTS", "You or others are exporting or importing a tenant"],
] as const;

describeFormStates("the form for a tenant's file", {
	open,
	request: REQUEST,
	fill,
	submit: "Import tenant",
	valid: {
		answer: json(REPORT),
		sends: {
			password: "the password of the file",
			currentPassword: "correct horse",
			releaseSlug: false,
			file: "age-encryption.org/v1",
		},
		shows: ["Imported acme"],
	},
	invalid: {
		"no password": {
			change: () => type("Password of the file", ""),
			field: "Password of the file",
		},
		"a file that is too large": {
			change: async () => {
				const file = new File([""], "acme.age");
				Object.defineProperty(file, "size", { value: 1024 ** 3 + 1 });
				await upload("File", file);
			},
			shows: ["The file is larger than 1 GiB."],
		},
	},
	conflict: Object.fromEntries(
		conflicts.map(([status, code, message]) => [
			code,
			{ answer: refuse(status, code, message), shows: [message] },
		]),
	),
	keeps: { "Password of the file": "the password of the file", "Your password": "correct horse" },
});

describe("the import of a tenant", () => {
	test("shows the counts that were compared", async () => {
		const server = await open();
		await send();
		await findTexts(
			"Imported acme",
			"1,200 rows written, 34 were there already. All are as in the file.",
			"It is suspended.",
			"user 617",
		);
		expect(server.sent(CONFIRM).map(({ body }) => body)).toEqual([
			{ action: "tenant:import", tenantId: null, currentPassword: "correct horse" },
		]);
		expect(server.sent(REQUEST)[0]?.headers.get("x-console")).toBe("yes");
		expect(byRole("link", "Open acme").getAttribute("href")).toBe(`/console/tenants/${acme.id}`);
	});

	test("resumes the tenant if asked, and only then", async () => {
		const server = await open({ [RESUME]: json(acme) });
		await send();
		expect(server.sent(RESUME)).toEqual([]);
		await click("Resume");
		await findTexts("The tenant is open.");
		expect(server.sent(RESUME).map(({ body }) => body)).toEqual([{ tenantId: acme.id }]);
	});

	test("takes the slug of a deleted tenant if asked", async () => {
		const server = await open();
		await fill();
		await click(byLabel("Take the slug also if a tenant that was deleted had it"));
		await click("Import tenant");
		await findTexts("Imported acme");
		expect(server.sent(REQUEST)).toMatchObject([{ body: { releaseSlug: true } }]);
	});

	test("sends no file before the operator has confirmed it", async () => {
		const wrong = refuse(400, "INVALID_PASSWORD", "The password is wrong");
		const server = await open({ [CONFIRM]: wrong });
		await send();
		await findTexts("The password is wrong");
		expect(byLabel("Your password").getAttribute("aria-invalid")).toBe("true");
		expect(server.sent(REQUEST)).toEqual([]);
	});

	test.each([
		["the connection breaks", offline(), "Could not reach the server."],
		["the database is away", refuse(503, "STORAGE_UNAVAILABLE", "No database."), "No database."],
	])("says how to continue if %s", async (_, answer, message) => {
		const server = await open({ [REQUEST]: answer });
		await send();
		await findTexts(message, "Import the same file again to continue");
		server.answer({ [REQUEST]: json(REPORT) });
		await click("Import tenant");
		await findTexts("Imported acme");
	});

	test("shows the progress, and can be stopped", async () => {
		await open({ [REQUEST]: never() });
		await send();
		const progress = (await findByRole("progressbar")) as HTMLProgressElement;
		expect(Number(progress.getAttribute("max"))).toBe(21);
		expect(byLabel("File").disabled).toBe(true);
		await click("Stop");
		await findTexts("You have stopped it.", "Import the same file again to continue");
	});

	test("is offered beside a new tenant", async () => {
		await openConsole("/tenants", { "GET /tenant/list": list([acme]) });
		const link = await findByRole("link", "Import tenant");
		expect(link.getAttribute("href")).toBe("/console/tenants/import");
	});

	test("is not there without the right", async () => {
		await open({ "GET /operator/me": json(operatorWithout("tenant:import")) });
		await findTexts("You may not import tenants.");
		expect(allByRole("button", "Import tenant")).toEqual([]);
	});
});
