declare module "*.sql" {
  const text: string;
  export default text;
}

declare module "*.service" {
  const text: string;
  export default text;
}

declare module "*.socket" {
  const text: string;
  export default text;
}

declare module "*.path" {
  const text: string;
  export default text;
}
