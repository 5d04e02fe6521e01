import { describe, test } from "vitest";
import { services } from "../../testing/services";
import { checkNotesApi } from "./notes-api";

if (!services.python) console.log("examples/python-api: skipped (no Python with PyJWT found)");

describe.skipIf(!services.examples || !services.python)("examples/python-api", () => {
	test("serves each tenant its own notes, and nothing without a valid token", async () => {
		await checkNotesApi("python-api", { PYTHON: String(services.python) });
	});
});
