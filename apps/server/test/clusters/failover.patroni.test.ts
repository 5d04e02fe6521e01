import { describe, test } from "vitest";
import { services } from "../../../../testing/services";
import { runningService } from "../running-service";
import { expectNothingLost, printOutcomes } from "./failover-outcomes";
import { ownPatroni } from "./own-patroni";
import { loadDuring } from "./sign-in-load";

printOutcomes();

describe.skipIf(!services.patroni)("sign-ups and sign-ins behind HAProxy, with Patroni", () => {
	test("while the primary is killed", async () => {
		const { url, killPrimary } = await ownPatroni();
		const one = await runningService({ DATABASE_URL: url });
		const two = await runningService({ DATABASE_URL: url });
		const outcome = await loadDuring([one, two], killPrimary);
		expectNothingLost("PostgreSQL, Patroni, primary killed", outcome);
	});

	test("during a planned switchover", async () => {
		const { url, switchOver } = await ownPatroni();
		const one = await runningService({ DATABASE_URL: url });
		const two = await runningService({ DATABASE_URL: url });
		const outcome = await loadDuring([one, two], switchOver);
		expectNothingLost("PostgreSQL, Patroni, switchover", outcome);
	});
});
