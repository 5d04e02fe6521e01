import { useQuery } from "@tanstack/react-query";
import { Navigate } from "react-router";
import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import {
	type AuthorizationRequest,
	useAuthorizationRequest,
} from "../sign-in/authorization-request";
import { isRejected, useErrorMessage } from "../sign-in/error-messages";
import { AuthPage, LoadingPage } from "../sign-in/layout";
import { useSession } from "../sign-in/session-queries";
import { useTenant } from "../sign-in/tenant-context";
import { useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { Logo } from "../ui/logos";
import { LoadFailedPage } from "./error-pages";

/** Asks the user whether an application may have what it asks for. */
export function ConsentPage() {
	const request = useAuthorizationRequest();
	const { data: session, error, isPending, refetch } = useSession();
	if (!request) return <Navigate to="/" replace />;
	if (isPending) return <LoadingPage />;
	if (error && !session) return <LoadFailedPage error={error} onRetry={refetch} />;
	if (!session) return <Navigate to={`/sign-in?${request.signedQuery}`} replace />;
	return <ConsentForm request={request} email={session.user.email} />;
}

type ConsentFormProps = { request: AuthorizationRequest; email: string };

function ConsentForm({ request, email }: ConsentFormProps) {
	const { client, options } = useTenant();
	const { consent } = useTexts();
	const errorMessage = useErrorMessage();
	const application = useQuery({
		queryKey: ["application", options.tenant.id, request.clientId],
		queryFn: () =>
			callApi(
				client.$fetch<{ client_name?: string; logo_uri?: string }>("/oauth2/public-client", {
					query: { client_id: request.clientId },
				}),
			),
	});
	// The client opens the URL of the response.
	const decide = useApiMutation({
		mutationFn: (accept: boolean) =>
			callApi(
				client.$fetch("/oauth2/consent", {
					method: "POST",
					body: { accept, oauth_query: request.signedQuery },
				}),
			),
	});
	if (application.isPending) return <LoadingPage />;
	if (application.isLoadingError && !isRejected(application.error)) {
		return <LoadFailedPage error={application.error} onRetry={application.refetch} />;
	}
	if (!application.data) {
		return (
			<AuthPage title={consent.missingTitle}>
				<p>{consent.missing}</p>
			</AuthPage>
		);
	}
	const name = application.data.client_name || consent.unnamed;
	// Languages put the name in different places.
	const [beforeName, afterName] = consent.wants.split("{}");
	const scopeTexts: Record<string, string> = consent.scopes;
	const decided = decide.isPending || decide.isSuccess ? decide.variables : null;
	return (
		<AuthPage title={consent.title(name)} hint={consent.signedInAs(email)}>
			{decide.error && <Notice kind="danger">{errorMessage(decide.error)}</Notice>}
			<div className="consent-application">
				<Logo name={name} url={application.data.logo_uri} />
				<p>
					{beforeName}
					<strong className="break">{name}</strong>
					{afterName}
				</p>
			</div>
			<ul className="consent-scopes">
				{request.scopes.map((scope) => (
					<li key={scope} className="break">
						{scopeTexts[scope] ?? consent.api(scope)}
					</li>
				))}
			</ul>
			<div className="stack stack-tight">
				<Button
					kind="primary"
					wide
					busy={decided === true}
					onClick={() => decided === null && decide.mutate(true)}
				>
					{consent.allow}
				</Button>
				<Button
					wide
					busy={decided === false}
					onClick={() => decided === null && decide.mutate(false)}
				>
					{consent.deny}
				</Button>
			</div>
		</AuthPage>
	);
}
