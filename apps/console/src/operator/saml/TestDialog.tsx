import { useQuery } from "@tanstack/react-query";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice, Skeleton } from "../../ui/feedback";
import { useApi } from "../api/context";
import type { SamlTest } from "../api/saml-test";
import { useTenant } from "../current-tenant/tenant-context";
import { StepList } from "../StepList";
import { TestResult } from "./TestResult";

const TITLES: Record<SamlTest["steps"][number]["name"], string> = {
	metadata: "Metadata",
	certificate: "Certificate",
	algorithm: "Keys",
	"own-urls": "Entity ID of the tenant",
	domain: "Email domains",
	"sign-in-url": "Sign-in URL",
	clock: "Clock",
};

type TestDialogProps = { open: boolean; onClose: () => void };

/** Tests the identity provider: first what a server can see, and then with a person who signs in. */
export function TestDialog({ open, onClose }: TestDialogProps) {
	return (
		<Dialog title="Test the identity provider" open={open} onClose={onClose} wide>
			<Steps />
			<TestSignIn />
		</Dialog>
	);
}

function Steps() {
	const tenant = useTenant();
	const { samlTestQuery } = useApi();
	const { data: test, error } = useQuery(samlTestQuery(tenant.id));
	if (error) return <Notice kind="danger">Could not test it: {error.message}</Notice>;
	if (!test) return <Skeleton kind="block" />;
	return (
		<>
			{!test.ok && (
				<Notice kind="danger">Not everything works. Look at the steps that failed.</Notice>
			)}
			<StepList steps={test.steps} titles={TITLES} />
		</>
	);
}

/** The last step. It creates no user and no session. */
function TestSignIn() {
	const tenant = useTenant();
	const { startSamlTest } = useApi();
	const start = useApiMutation({ mutationFn: () => startSamlTest(tenant.id) });
	return (
		<>
			<p className="muted small">
				Sign in at the identity provider to see what it says about you. This creates no user and no
				session here.
			</p>
			{start.error && <Notice kind="danger">{start.error.message}</Notice>}
			{start.data && <TestResult key={start.data.testId} testId={start.data.testId} />}
			<footer className="dialog-foot">
				<Button
					kind={start.data ? "secondary" : "primary"}
					busy={start.isPending}
					onClick={() => start.mutate()}
				>
					{start.data ? "Start again" : "Start a test sign-in"}
				</Button>
				{start.data && (
					<a
						className="button button-primary"
						href={start.data.url}
						target="_blank"
						rel="noreferrer"
					>
						Sign in (new tab)
					</a>
				)}
			</footer>
		</>
	);
}
