// Starts the service and the API. Prints commands that call the API.
import { spawn, spawnSync } from "node:child_process";
import { authUrl, startService } from "./service.mjs";

const { PORT = "4000", PYTHON = "python3" } = process.env;
const api = `http://localhost:${PORT}`;

if (spawnSync(PYTHON, ["-c", "import jwt, cryptography"]).status !== 0) {
	console.error(`${PYTHON} does not have PyJWT. Run: pip install "PyJWT[crypto]"`);
	process.exit(1);
}

// A program that gets tokens for itself. An app with users gets them by a sign-in, with the same `resource`.
const { clientId, clientSecret } = await startService(
	{ name: "Nightly job", type: "machine" },
	{ API_AUDIENCES: api },
);

const child = spawn(PYTHON, ["api.py"], {
	env: { ...process.env, PORT, AUTH_URL: authUrl, AUDIENCE: api },
	stdio: ["ignore", "pipe", "inherit"],
});
process.on("exit", () => child.kill());
child.on("close", (code) => process.exit(code ?? 1));
child.stdout.once("data", () => {
	console.log(`Listening on ${api}

Get a token of acme, and call the API with it:

TOKEN=$(curl -sS ${authUrl}/t/acme/oauth2/token -u '${clientId}:${clientSecret}' \\
  -d grant_type=client_credentials -d resource=${api} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -sS ${api}/notes -H "Authorization: Bearer $TOKEN" -d 'The first note of Acme'
curl -sS ${api}/notes -H "Authorization: Bearer $TOKEN"
`);
});
