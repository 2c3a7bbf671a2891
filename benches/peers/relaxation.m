% `D^1/2 y = -y`, y(0) = 1, to t = 10 in N steps of the Adams-Bashforth-Moulton method (PECE) with direct
% sums over the whole past. See relaxation.py.
1;

function y = relaxation(n)
  alpha = 0.5;
  h = 10 / n;
  k = (0:n+1)';
  b = (k(2:n+1) .^ alpha - k(1:n) .^ alpha) * (h ^ alpha / gamma(alpha + 1));
  p = k .^ (alpha + 1);
  scale = h ^ alpha / gamma(alpha + 2);
  c = [1; p(3:n+2) - 2 * p(2:n+1) + p(1:n)] * scale;
  % Reversed, so that each sum is a product of two ranges.
  b = flipud(b)';
  c = flipud(c)';
  f = zeros(n + 1, 1);
  f(1) = -1;
  for i = 1:n
    first = ((i - 1) ^ (alpha + 1) - (i - 1 - alpha) * i ^ alpha) * scale;
    predicted = 1 + b(n-i+1:n) * f(1:i);
    y = 1 + first * f(1) + c(n+2-i:n) * f(2:i) - scale * predicted;
    f(i+1) = -y;
  end
end

arguments = argv();
% PROBLEM METHOD SECONDS SIZE...
seconds = str2double(arguments{3});
exact = erfcx(sqrt(10));
for at = 4:numel(arguments)
  n = str2double(arguments{at});
  start = tic;
  y = relaxation(n);
  first = toc(start);
  least = Inf;
  whole = tic;
  repeat = 0;
  while repeat == 0 || (toc(whole) < seconds && repeat < 1000)
    start = tic;
    y = relaxation(n);
    least = min(least, toc(start));
    repeat += 1;
  end
  printf(['{"problem":"relaxation","peer":"octave","version":"%s","size":%d,' ...
          '"seconds":%.9g,"first":%.9g,"error":%.9g}\n'], ...
         version(), n, least, first, abs(y - exact) / exact);
  fflush(stdout);
end
