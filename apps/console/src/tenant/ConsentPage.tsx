import { useQuery } from "@tanstack/react-query";
import { Navigate } from "react-router";
import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { Logo } from "../ui/logos";
import { type AuthorizationRequest, useAuthorizationRequest } from "./authorization-request";
import { errorMessage } from "./error-messages";
import { AuthPage, LoadingPage } from "./layout";
import { useSession } from "./queries";
import { useTenant } from "./tenant-context";

/** Asks the user whether an application may have what it asks for. */
export function ConsentPage() {
	const request = useAuthorizationRequest();
	const { data: session, isPending } = useSession();
	if (!request) return <Navigate to="/" replace />;
	if (isPending) return <LoadingPage />;
	if (!session) return <Navigate to={`/sign-in?${request.signedQuery}`} replace />;
	return <ConsentForm request={request} email={session.user.email} />;
}

/** What users understand of the scopes of OpenID Connect. */
const SCOPE_TEXTS: Record<string, string> = {
	openid: "Know who you are",
	profile: "See your name and your picture",
	email: "See your email",
	offline_access: "Keep this access until you remove it",
};

type ConsentFormProps = { request: AuthorizationRequest; email: string };

function ConsentForm({ request, email }: ConsentFormProps) {
	const { client, options } = useTenant();
	const application = useQuery({
		queryKey: ["application", options.tenant.id, request.clientId],
		queryFn: () =>
			callApi(
				client.$fetch<{ client_name?: string; logo_uri?: string }>("/oauth2/public-client", {
					query: { client_id: request.clientId },
				}),
			),
	});
	// The client opens the URL of the answer.
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
	if (application.error || !application.data) {
		return (
			<AuthPage title="This application is not available">
				<p>It may have been removed. Go back to it and try again.</p>
			</AuthPage>
		);
	}
	const name = application.data.client_name || "This application";
	const decided = decide.isPending || decide.isSuccess ? decide.variables : null;
	return (
		<AuthPage title={`Continue to ${name}?`} hint={`You are signed in as ${email}.`}>
			{decide.error && <Notice kind="danger">{errorMessage(decide.error)}</Notice>}
			<div className="consent-application">
				<Logo name={name} url={application.data.logo_uri} />
				<p>
					<strong className="break">{name}</strong> wants to:
				</p>
			</div>
			<ul className="consent-scopes">
				{request.scopes.map((scope) => (
					<li key={scope} className="break">
						{SCOPE_TEXTS[scope] ?? scope}
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
					Allow
				</Button>
				<Button
					wide
					busy={decided === false}
					onClick={() => decided === null && decide.mutate(false)}
				>
					Do not allow
				</Button>
			</div>
		</AuthPage>
	);
}
