import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { temporaryDirectory } from "../../apps/server/test/temporary-directory";
import { services } from "../../testing/services";
import { checkNotesApi } from "./notes-api";

if (!services.go) console.log("examples/go-api: skipped (no Go with go-oidc found)");

describe.skipIf(!services.examples || !services.go)("examples/go-api", () => {
	test("serves each tenant its own notes, and nothing without a valid token", async () => {
		// Debian has go-oidc 2, outside of modules. The functions that the API uses are the same in version 3.
		const debian = "/usr/share/gocode";
		const path = temporaryDirectory();
		mkdirSync(join(path, "src/github.com/coreos/go-oidc/v3"), { recursive: true });
		symlinkSync(
			join(debian, "src/github.com/coreos/go-oidc"),
			join(path, "src/github.com/coreos/go-oidc/v3/oidc"),
		);
		await checkNotesApi("go-api", {
			GO: String(services.go),
			GO111MODULE: "off",
			GOFLAGS: "",
			GOPATH: `${path}:${debian}`,
		});
	});
});
