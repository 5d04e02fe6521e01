/** An account at an identity provider, and what its owner types to log in there. */
export interface Person {
	sub: string;
	/** For providers whose account ids are numbers: GitLab, GitHub. */
	number: number;
	email: string;
	emailVerified: boolean;
	name: string;
	picture: string;
	password: string;
	/** Laid over whatever the provider says about the account, e.g. Google's `hd`. */
	claims: Record<string, unknown>;
}

export type PersonInput = Partial<Person> & Pick<Person, "email">;

let lastNumber = 1000;

export function makePerson(input: PersonInput): Person {
	lastNumber += 1;
	const number = input.number ?? lastNumber;
	return {
		sub: `sub-${number}`,
		number,
		emailVerified: true,
		name: `Person ${number}`,
		picture: `https://pictures.example/${number}.png`,
		password: `password of ${number}`,
		claims: {},
		...input,
	};
}

export function nameParts(person: Person): { firstName: string; lastName: string } {
	const [firstName = "", ...rest] = person.name.split(" ");
	return { firstName, lastName: rest.join(" ") };
}
