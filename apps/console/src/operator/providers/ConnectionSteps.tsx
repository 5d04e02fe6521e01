import { useQuery } from "@tanstack/react-query";
import { Notice, Skeleton } from "../../ui/feedback";
import { useApi } from "../api/context";
import type { ConnectionTest } from "../api/providers";
import { StepList } from "../StepList";

type Step = ConnectionTest["steps"][number];

const TITLES: Record<Step["name"], string> = {
	config: "Settings",
	discovery: "Discovery",
	keys: "Keys",
	"redirect-uri": "Callback URL",
	client: "Client",
};

/** What the provider says about the tenant's client, step by step. */
export function ConnectionSteps({
	tenantId,
	providerId,
}: {
	tenantId: string;
	providerId: string;
}) {
	const { connectionTestQuery } = useApi();
	const { data: test, error } = useQuery(connectionTestQuery(tenantId, providerId));
	if (error) return <Notice kind="danger">Could not test it: {error.message}</Notice>;
	if (!test) return <Skeleton kind="block" />;
	const isUnsure = test.steps.some(({ state }) => state === "unknown");
	return (
		<>
			{test.ok && !isUnsure && <Notice kind="success">The provider accepts this client.</Notice>}
			{!test.ok && <Notice kind="danger">A sign-in will not work.</Notice>}
			{test.ok && isUnsure && (
				<Notice kind="warning">The provider does not tell everything without a sign-in.</Notice>
			)}
			<StepList steps={test.steps} titles={TITLES} />
		</>
	);
}
