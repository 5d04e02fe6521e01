import { askRegions } from "../../regions/directory";
import type { Configuration } from "../configuration";
import { type CheckResult, resultOf, skipped } from "./check-result";

/** Asks every other region for a tenant, as a request to this one would. */
export async function checkRegions(
	{ config, log }: Configuration,
	{ offline }: { offline?: boolean },
): Promise<CheckResult> {
	const { regions } = config.settings;
	if (!regions) return skipped("regions", "REGIONS is not set");
	if (offline) return skipped("regions", "--offline");
	const findings = await Promise.all(
		regions.others.map(async (region) => {
			const locate = askRegions({ ...regions, others: [region] }, log);
			if ((await locate({ slug: "any" })) !== "unknown") return [];
			const problem = `The region "${region.name}" at ${region.url} does not respond to us.`;
			const remedy = "Check its URL in REGIONS, and that REGION_KEY there has our key.";
			return [{ problem, remedy }];
		}),
	);
	return resultOf("regions", findings.flat(), "all other regions respond");
}
