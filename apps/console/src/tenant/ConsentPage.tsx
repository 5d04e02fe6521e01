import { Navigate } from "react-router";
import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import {
	type AuthorizationRequest,
	useAuthorizationRequest,
} from "../sign-in/authorization-request";
import { useErrorMessage } from "../sign-in/error-messages";
import { AuthPage, LoadingPage } from "../sign-in/layout";
import { useSession } from "../sign-in/session-queries";
import { useTenant } from "../sign-in/tenant-context";
import { useTexts } from "../sign-in/texts/texts";
import { Notice } from "../ui/feedback";
import { LoadFailedPage } from "./error-pages";
import { DecisionButtons, RequestedAccess, RequestingApplication } from "./requesting-application";

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
	const { client } = useTenant();
	const { consent } = useTexts();
	const errorMessage = useErrorMessage();
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
	const decided = decide.isPending || decide.isSuccess ? decide.variables : null;
	return (
		<RequestingApplication clientId={request.clientId}>
			{(application) => (
				<AuthPage title={consent.title(application.name)} hint={consent.signedInAs(email)}>
					{decide.error && <Notice kind="danger">{errorMessage(decide.error)}</Notice>}
					<RequestedAccess {...application} scopes={request.scopes} />
					<div className="stack stack-tight">
						<DecisionButtons decided={decided} onDecide={decide.mutate} />
					</div>
				</AuthPage>
			)}
		</RequestingApplication>
	);
}
