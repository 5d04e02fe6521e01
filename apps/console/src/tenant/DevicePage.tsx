import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { ApiError, callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { useErrorMessage } from "../sign-in/error-messages";
import { AuthPage, LoadingPage } from "../sign-in/layout";
import { useSession } from "../sign-in/session-queries";
import { useTenant } from "../sign-in/tenant-context";
import { Filled, useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { Form, TextField } from "../ui/fields";
import { LoadFailedPage } from "./error-pages";
import { DecisionButtons, RequestedAccess, RequestingApplication } from "./requesting-application";

/** Where a user allows a device that has no browser. The device shows the URL of this page, and a code. */
export function DevicePage() {
	const [query] = useSearchParams();
	const { data: session, error, isPending, refetch } = useSession();
	const code = query.get("user_code") ?? "";
	if (isPending) return <LoadingPage />;
	if (error && !session) return <LoadFailedPage error={error} onRetry={refetch} />;
	return session ? <Flow code={code} email={session.user.email} /> : <SignInFirst code={code} />;
}

/** The server checks where a sign-in may lead when it sends the page, so the browser loads it again. */
function SignInFirst({ code }: { code: string }) {
	const { pageUrl } = useTenant();
	const back = pageUrl(`device${code ? `?user_code=${encodeURIComponent(code)}` : ""}`);
	const target = `${pageUrl("sign-in")}?callbackURL=${encodeURIComponent(back)}`;
	useEffect(() => window.location.replace(target), [target]);
	return <LoadingPage />;
}

/** What a device asks for. A code that another user has looked at has no application. */
type Asked = { user_code: string; status: string; client_id?: string; scope?: string };

type Reviewed = { code: string; clientId: string; scopes: string[] };

type Decision = "allowed" | "denied";

const isInvalidCode = (error: unknown) => error instanceof ApiError && error.status === 400;

function Flow({ code, email }: { code: string; email: string }) {
	const { client } = useTenant();
	const { deviceFlow } = useTexts();
	const [decision, setDecision] = useState<Decision | null>(null);
	const look = useApiMutation({
		mutationFn: async (typed: string): Promise<Reviewed> => {
			const query = { user_code: typed };
			const asked = await callApi(client.$fetch<Asked>("/device", { query }));
			const { client_id: clientId, scope = "", status } = asked;
			if (!clientId || status !== "pending") throw new ApiError(400, "", "");
			return {
				code: typed.trim().toUpperCase(),
				clientId,
				scopes: scope.split(" ").filter(Boolean),
			};
		},
	});
	if (decision) {
		return (
			<AuthPage title={deviceFlow[decision].title}>
				<p>{deviceFlow[decision].text}</p>
			</AuthPage>
		);
	}
	if (look.data) {
		return (
			<Review asked={look.data} email={email} onDecided={setDecision} onInvalid={look.reset} />
		);
	}
	return (
		<CodeForm
			code={code}
			error={look.error}
			isBusy={look.isPending}
			onSubmit={(typed) => look.mutate(typed)}
		/>
	);
}

type CodeFormProps = {
	code: string;
	error: unknown;
	isBusy: boolean;
	onSubmit: (code: string) => void;
};

/** A code in the URL only fills in the field: the user compares it with the one that the device shows. */
function CodeForm({ code, error, isBusy, onSubmit }: CodeFormProps) {
	const { deviceFlow } = useTexts();
	const errorMessage = useErrorMessage();
	const [typed, setTyped] = useState(code);
	return (
		<AuthPage title={deviceFlow.title} hint={code ? deviceFlow.compare : deviceFlow.hint}>
			{Boolean(error) && (
				<Notice kind="danger">
					{isInvalidCode(error) ? deviceFlow.invalid : errorMessage(error)}
				</Notice>
			)}
			<Form onSubmit={() => onSubmit(typed)}>
				<TextField
					label={deviceFlow.code}
					name="user_code"
					value={typed}
					onValueChange={setTyped}
					autoComplete="off"
					autoCapitalize="characters"
					spellCheck={false}
					maxLength={20}
					required
				/>
				<Button type="submit" kind="primary" wide busy={isBusy}>
					{deviceFlow.submit}
				</Button>
			</Form>
		</AuthPage>
	);
}

type ReviewProps = {
	asked: Reviewed;
	email: string;
	onDecided: (decision: Decision) => void;
	onInvalid: () => void;
};

function Review({ asked, email, onDecided, onInvalid }: ReviewProps) {
	const { client } = useTenant();
	const { consent, deviceFlow } = useTexts();
	const errorMessage = useErrorMessage();
	const decide = useApiMutation({
		mutationFn: async (isAllowed: boolean): Promise<Decision> => {
			const path = `/device/${isAllowed ? "approve" : "deny"}`;
			await callApi(client.$fetch(path, { method: "POST", body: { userCode: asked.code } }));
			return isAllowed ? "allowed" : "denied";
		},
		onSuccess: onDecided,
	});
	const isGone = isInvalidCode(decide.error);
	const decided = decide.isPending ? decide.variables : null;
	return (
		<RequestingApplication clientId={asked.clientId}>
			{(application) => (
				<AuthPage title={deviceFlow.question(application.name)} hint={consent.signedInAs(email)}>
					{decide.error && (
						<Notice kind="danger">
							{isGone ? deviceFlow.invalid : errorMessage(decide.error)}
						</Notice>
					)}
					<Notice kind="warning">
						<Filled text={deviceFlow.warning}>
							<strong>{asked.code}</strong>
						</Filled>
					</Notice>
					<RequestedAccess {...application} scopes={asked.scopes} />
					<div className="stack stack-tight">
						{isGone ? (
							<Button kind="primary" wide onClick={onInvalid}>
								{deviceFlow.again}
							</Button>
						) : (
							<DecisionButtons decided={decided} onDecide={decide.mutate} />
						)}
					</div>
				</AuthPage>
			)}
		</RequestingApplication>
	);
}
