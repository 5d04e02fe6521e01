/**
 * A process of its own that deletes a tenant of the SQLite file that it is told of. When half of the
 * users are through it says so and gets no further.
 */

import { openSqliteFile } from "../databases/sqlite-file";
import { makeInstance } from "../worlds/instance";

const [file = "", tenantId = "", half = ""] = process.argv.slice(2);
let seen = 0;
const { auth } = await makeInstance({
	on: openSqliteFile(file),
	databaseHooks: {
		user: {
			delete: {
				before: async () => {
					seen += 1;
					if (seen < Number(half)) return;
					process.stdout.write("half-way\n");
					await new Promise(() => {});
				},
			},
		},
	},
});
setInterval(() => {}, 1000);
await auth.api.deleteTenant({ body: { tenantId } });
