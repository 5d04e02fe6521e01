// Writes a file `.env` with a secret of your own, if there is none yet.
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";

if (!existsSync(".env")) {
	writeFileSync(".env", `BETTER_AUTH_SECRET=${randomBytes(32).toString("base64")}\n`, {
		mode: 0o600,
	});
}
