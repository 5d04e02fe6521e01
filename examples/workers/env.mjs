// Writes a file `.env` with secrets of your own, if there is none yet.
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";

const random = () => randomBytes(32).toString("base64");

if (!existsSync(".env")) {
	writeFileSync(".env", `BETTER_AUTH_SECRET=${random()}\nMANAGEMENT_KEY=${random()}\n`, {
		mode: 0o600,
	});
}
